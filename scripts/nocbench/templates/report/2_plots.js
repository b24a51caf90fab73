// Latency and bandwidth of a test against size: all series, the base dashed, the theoretical maximum.

const PLOT = {width: 520, height: 290, left: 58, right: 22, top: 12, bottom: 40};
const MOST_LABELS = 9;
const NUM_COLORS = 8;

const MARKS = [
  (x, y, r) => `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`,
  (x, y, r) => `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (x, y, r) => `M${x},${y - r * 1.2}L${x + r * 1.1},${y + r}H${x - r * 1.1}z`,
  (x, y, r) => `M${x},${y - r * 1.3}L${x + r * 1.3},${y}L${x},${y + r * 1.3}L${x - r * 1.3},${y}z`,
  (x, y, r) => `M${x},${y + r * 1.2}L${x + r * 1.1},${y - r}H${x - r * 1.1}z`,
];

/** The series of a table: name to its points by x, in the order in which they come in the results. */
function seriesOf(table) {
  const series = new Map();
  for (const point of pointsOfTable[table]) {
    if (points.x[point] === null) continue;
    const name = textOf("series", point);
    if (!series.has(name)) series.set(name, []);
    series.get(name).push(point);
  }
  const inOrder = (a, b) => a[0].localeCompare(b[0], "en", {numeric: true});
  const sorted = [...series].sort(inOrder);
  for (const [, members] of sorted) members.sort((a, b) => points.x[a] - points.x[b]);
  return sorted;
}

/** Where a value stands between the ends of an axis, from 0 to 1. */
function makeAxis(values, isLog, fromZero) {
  const transform = isLog ? Math.log2 : (value) => value;
  let low = transform(fromZero ? 0 : Math.min(...values));
  let high = transform(Math.max(...values));
  if (isLog) [low, high] = [Math.floor(low), Math.ceil(high)];
  else if (fromZero) high *= 1.06;
  if (low === high) [low, high] = isLog ? [low - 1, high + 1] : [low - 0.5, high + 0.5];
  return {low, high, place: (value) => (transform(value) - low) / (high - low)};
}

/** From the coarsest to the finest: what stands between two powers of ten. The least range of a logarithmic axis is an octave. */
const DECADES = [
  [1],
  [1, 2, 5],
  [1, 2, 3, 4, 5, 6, 7, 8, 9],
  Array.from({length: 18}, (_, half) => 1 + half / 2),
  Array.from({length: 45}, (_, fifth) => 1 + fifth / 5),
];
const FEWEST_LABELS = 4;

/** Decades, with as many steps between them as are needed to read the axis, and have room. */
function decadeTicks(axis) {
  let best = [];
  for (const factors of DECADES) {
    const ticks = [];
    for (let power = Math.floor(axis.low / Math.log2(10)); 10 ** power <= 2 ** axis.high; power += 1) {
      ticks.push(...factors.map((factor) => Number((factor * 10 ** power).toPrecision(6))));
    }
    const inside = ticks.filter((tick) => Math.log2(tick) >= axis.low && Math.log2(tick) <= axis.high);
    if (inside.length <= MOST_LABELS || !best.length) best = inside;
    if (best.length >= FEWEST_LABELS) break;
  }
  return best;
}

function powerTicks(axis, base) {
  const factor = Math.log2(base);
  const first = Math.ceil(axis.low / factor - 1e-9);
  const last = Math.floor(axis.high / factor + 1e-9);
  const step = Math.ceil((last - first + 1) / MOST_LABELS);
  const ticks = [];
  for (let power = first; power <= last; power += step) ticks.push(base ** power);
  return ticks;
}

function evenTicks(axis) {
  const rough = (axis.high - axis.low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
  const ticks = [];
  for (let tick = Math.ceil(axis.low / step) * step; tick <= axis.high; tick += step) ticks.push(Number(tick.toPrecision(6)));
  return ticks;
}

function shortNumber(value) {
  for (const [unit, factor] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (value >= factor) return `${Number((value / factor).toPrecision(3))} ${unit}`;
  }
  return String(Number(value.toPrecision(3)));
}

/** One panel. `metric` is "Cycles" or "Bandwidth": of the columns baseCycles, headCycles, ... */
function drawPanel(table, metric, chosen) {
  const about = report.tables[table];
  const series = seriesOf(table);
  const [base, head] = [points[`base${metric}`], points[`head${metric}`]];
  const members = series.flatMap(([, ofSeries]) => ofSeries);
  const values = members.flatMap((point) => [base[point], head[point]]).filter((value) => value !== null);
  const isLog = metric === "Cycles" && about.xLog;
  const maximum = metric === "Bandwidth" ? about.peak : null;
  if (!values.length) return null;
  const xAxis = makeAxis(members.map((point) => points.x[point]), about.xLog, false);
  const yAxis = makeAxis(maximum === null ? values : [...values, maximum], isLog, !isLog);
  const x = (value) => PLOT.left + xAxis.place(value) * (PLOT.width - PLOT.left - PLOT.right);
  const y = (value) => PLOT.height - PLOT.bottom - yAxis.place(value) * (PLOT.height - PLOT.top - PLOT.bottom);
  const [bottom, right] = [PLOT.height - PLOT.bottom, PLOT.width - PLOT.right];
  const name = metric === "Cycles" ? "Latency, cycles" : "Bandwidth, B/cycle";
  const svg = make("svg", {viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", "aria-label": `${name}, against ${about.xLabel}`});

  for (const tick of isLog ? decadeTicks(yAxis) : evenTicks(yAxis)) {
    svg.append(make("line", {class: "grid", x1: PLOT.left, x2: right, y1: y(tick), y2: y(tick)}));
    svg.append(make("text", {x: PLOT.left - 6, y: y(tick) + 4, "text-anchor": "end"}, shortNumber(tick)));
  }
  for (const tick of about.xLog ? powerTicks(xAxis, 2) : evenTicks(xAxis)) {
    svg.append(make("line", {class: "grid", x1: x(tick), x2: x(tick), y1: PLOT.top, y2: bottom}));
    svg.append(make("text", {x: x(tick), y: bottom + 15, "text-anchor": "middle"}, about.xLog ? formatSize(tick) : String(tick)));
  }
  svg.append(make("line", {class: "axis", x1: PLOT.left, x2: right, y1: bottom, y2: bottom}));
  svg.append(make("line", {class: "axis", x1: PLOT.left, x2: PLOT.left, y1: PLOT.top, y2: bottom}));
  svg.append(make("text", {x: (PLOT.left + right) / 2, y: PLOT.height - 7, "text-anchor": "middle"}, about.xLabel));
  if (maximum !== null) {
    svg.append(make("line", {class: "maximum", x1: PLOT.left, x2: right, y1: y(maximum), y2: y(maximum)}));
    svg.append(make("text", {x: PLOT.left + 6, y: y(maximum) + 14}, `theoretical maximum, ${formatBandwidth(maximum)} B/cycle`));
  }
  series.forEach(([seriesName, ofSeries], number) => {
    for (const [side, column] of [["base", base], ["head", head]]) {
      const present = ofSeries.filter((point) => column[point] !== null);
      if (!present.length) continue;
      const group = make("g", {class: `s${number % NUM_COLORS}`});
      const places = present.map((point) => `${x(points.x[point])},${y(column[point])}`).join(" ");
      group.append(make("polyline", {class: `line ${side}`, points: places}));
      for (const point of present) {
        const [px, py] = [x(points.x[point]), y(column[point])];
        const path = MARKS[number % MARKS.length](px, py, side === "base" ? 3.6 : 2.8);
        const value = metric === "Cycles" ? `${formatCycles(column[point])} cycles` : `${formatBandwidth(column[point])} B/cycle`;
        const at = about.xLog ? formatSize(points.x[point]) : points.x[point];
        group.append(make("path", {class: `mark ${side}`, d: path}, make("title", {}, `${seriesName}, ${at}: ${value} (${side})`)));
        if (point === chosen && side === "head") group.append(make("circle", {class: "ring", cx: px, cy: py, r: 8}));
      }
      svg.append(group);
    }
  });
  return make("figure", {}, make("figcaption", {}, name), svg);
}

function drawLegend(table) {
  const legend = make("div", {class: "legend"});
  const sample = (className, ...parts) => make("svg", {viewBox: "0 0 34 14", class: className, "aria-hidden": "true"}, ...parts);
  const line = (className) => make("polyline", {class: className, points: "1,7 33,7"});
  seriesOf(table).forEach(([name], number) => {
    const mark = make("path", {class: "mark", d: MARKS[number % MARKS.length](17, 7, 3.4)});
    legend.append(make("span", {}, sample(`s${number % NUM_COLORS}`, line("line"), mark), name));
  });
  if (report.hasBase) {
    legend.append(make("span", {}, sample("s6", line("line")), "head"), make("span", {}, sample("s6", line("line base")), "base"));
  }
  if (report.tables[table].peak !== null) legend.append(make("span", {}, sample("", line("maximum")), "theoretical maximum"));
  return legend;
}

/** Both panels of a table and their legend; `chosen` is a point with a ring, or null. */
function drawPlots(table, chosen) {
  const panels = ["Cycles", "Bandwidth"].map((metric) => drawPanel(table, metric, chosen)).filter(Boolean);
  if (!panels.length) return make("p", {class: "quiet"}, "Nothing to plot.");
  return make("div", {}, make("div", {class: "plots"}, ...panels), drawLegend(table));
}
