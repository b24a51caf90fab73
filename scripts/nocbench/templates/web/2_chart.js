// A chart of lines, drawn by uPlot: zoomed by dragging, by buttons or by keys, and read point by point.
//
// A chart is {title, x, y, maximum, lines}:
//   x, y     {label, isLog, format, names}: `format` writes a value; `names` are the places of an axis without numbers
//   maximum  a value of y that a line marks, with its name, or null
//   lines    [{name, color, side, points: [{x, y, words}]}]: `side` is "head" or "base" for lines, "published" for marks

const CHART_HEIGHT = 300;
const NUM_COLORS = 8;
const NEAR_PIXELS = 60;
const ZOOM_STEP = 0.6;
const CHART_HELP = "Arrow keys go from point to point, plus and minus zoom, 0 shows everything.";

/** Outlines of marks, so that lines differ by more than their colours. */
const MARKS = [
  (x, y, r) => `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`,
  (x, y, r) => `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (x, y, r) => `M${x},${y - r * 1.2}L${x + r * 1.1},${y + r}H${x - r * 1.1}z`,
  (x, y, r) => `M${x},${y - r * 1.3}L${x + r * 1.3},${y}L${x},${y + r * 1.3}L${x - r * 1.3},${y}z`,
  (x, y, r) => `M${x},${y + r * 1.2}L${x + r * 1.1},${y - r}H${x - r * 1.1}z`,
];

const colorOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** uPlot has a value per x and line: points of a line at the same x become lines of their own, without a name. */
function alignedLines(lines) {
  const xs = [...new Set(lines.flatMap(({points}) => points.map(({x}) => x)))].sort((a, b) => a - b);
  const placeOf = new Map(xs.map((x, place) => [x, place]));
  const aligned = [];
  for (const line of lines) {
    const parts = [];
    for (const point of line.points) {
      const place = placeOf.get(point.x);
      let part = parts.find((candidate) => candidate[place] === null);
      if (!part) parts.push(part = new Array(xs.length).fill(null));
      part[place] = point;
    }
    for (const part of parts) aligned.push({...line, points: part, isJoined: line.side !== "published" && parts.length === 1});
  }
  return {xs, aligned};
}

/** Ends of an axis: all values with some room, from zero unless it is logarithmic. */
function fullRange(values, axis, isVertical) {
  let [low, high] = [Math.min(...values), Math.max(...values)];
  if (axis.names?.length) return [-0.5, axis.names.length - 0.5];
  if (axis.isLog) return low === high ? [low / 2, high * 2] : [low / (isVertical ? 1.15 : 1.06), high * (isVertical ? 1.15 : 1.06)];
  if (isVertical) return [Math.min(0, low * 1.06), high > 0 ? high * 1.06 : -low * 0.06 || 1];
  const room = (high - low) * 0.03 || Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
}

/** From the coarsest to the finest: what stands between two powers of ten. */
const DECADES = [
  [1],
  [1, 2, 5],
  [1, 2, 3, 4, 5, 6, 7, 8, 9],
  Array.from({length: 18}, (_, half) => 1 + half / 2),
  Array.from({length: 45}, (_, fifth) => 1 + fifth / 5),
];
const FEWEST_TICKS = 4;
const MOST_TICKS = 9;

/** Powers of two for sizes, and decades for others; as many steps as are needed to read the axis, and have room. */
function logTicks(low, high, isSize) {
  if (isSize && high >= 4 * low) {
    const powers = [];
    for (let power = Math.ceil(Math.log2(low)); 2 ** power <= high; power += 1) powers.push(power);
    const step = Math.ceil(powers.length / MOST_TICKS);
    return powers.filter((power) => power % step === 0).map((power) => 2 ** power);
  }
  let best = [];
  for (const factors of DECADES) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power += 1) {
      ticks.push(...factors.map((factor) => Number((factor * 10 ** power).toPrecision(6))));
    }
    const inside = ticks.filter((tick) => tick >= low && tick <= high);
    if (inside.length <= MOST_TICKS || !best.length) best = inside;
    if (best.length >= FEWEST_TICKS) break;
  }
  return best;
}

/**
 * Makes a chart. `hidden` has the names of lines that are not shown, and `ring` says which points have a ring.
 * `zoomed(ranges)` is told {x: [from, to], y: [from, to]}, or null when everything is shown; `marked(point)` is told the
 * point that is read.
 */
function makeChart(chart, {hidden = new Set(), zoom = null, ring = null, zoomed = () => {}, marked = () => {}} = {}) {
  const {xs, aligned} = alignedLines(chart.lines);
  const readout = make("output", {class: "readout quiet", "aria-live": "polite"});
  const place = make("div", {class: "canvas", tabindex: "0", role: "application", "aria-roledescription": "chart",
    "aria-label": `${chart.title}, against ${chart.x.label || "the points"}. ${CHART_HELP}`});
  const buttons = make("span", {class: "zoom"});
  const caption = make("figcaption", {}, chart.title, buttons);
  const figure = make("figure", {class: "chart"}, caption, place, readout);
  const visible = (line) => !hidden.has(line.name);
  let [plot, current] = [null, null];

  const shownValues = () => aligned.filter(visible).flatMap(({points}) => points.filter(Boolean).map(({y}) => y));
  const fullX = () => fullRange(xs, chart.x, false);
  const fullY = () => {
    const values = shownValues();
    if (chart.maximum !== null && !chart.y.isLog) values.push(chart.maximum.value);
    return fullRange(values.length ? values : [1], chart.y, true);
  };

  function mark(line, point) {
    current = {line, point};
    readout.textContent = point.words;
    plot.redraw(false);
    marked(point);
  }

  function nearest(left, top) {
    let best = null;
    for (const line of aligned.filter(visible)) {
      for (const point of line.points) {
        if (!point) continue;
        const distance = Math.hypot(plot.valToPos(point.x, "x") - left, plot.valToPos(point.y, "y") - top);
        if (distance < (best?.distance ?? NEAR_PIXELS)) best = {line, point, distance};
      }
    }
    return best;
  }

  function drawMarks() {
    const {ctx, bbox} = plot;
    const pixels = devicePixelRatio;
    const margin = 6 * pixels;
    const at = (point) => [plot.valToPos(point.x, "x", true), plot.valToPos(point.y, "y", true)];
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left - margin, bbox.top - margin, bbox.width + 2 * margin, bbox.height + 2 * margin);
    ctx.clip();
    if (chart.maximum !== null) {
      const y = plot.valToPos(chart.maximum.value, "y", true);
      ctx.strokeStyle = ctx.fillStyle = colorOf("--text");
      ctx.lineWidth = 1.3 * pixels;
      ctx.setLineDash([9, 3, 2, 3].map((length) => length * pixels));
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.font = `${11 * pixels}px system-ui, sans-serif`;
      ctx.textAlign = "left";
      ctx.fillText(chart.maximum.name, bbox.left + 6 * pixels, y + 14 * pixels);
      ctx.setLineDash([]);
    }
    for (const line of aligned.filter(visible)) {
      const color = colorOf(`--s${line.color % NUM_COLORS}`);
      for (const point of line.points.filter(Boolean)) {
        const [x, y] = at(point);
        const path = new Path2D(MARKS[line.color % MARKS.length](x, y, (line.side === "head" ? 2.8 : 4) * pixels));
        ctx.strokeStyle = color;
        ctx.fillStyle = line.side === "head" ? color : colorOf("--page");
        ctx.lineWidth = 1.5 * pixels;
        if (line.side !== "published") ctx.fill(path);
        ctx.stroke(path);
        if (point !== current?.point && !ring?.(point)) continue;
        ctx.strokeStyle = colorOf("--text");
        ctx.lineWidth = 2 * pixels;
        ctx.beginPath();
        ctx.arc(x, y, 8 * pixels, 0, 2 * Math.PI);
        ctx.stroke();
      }
    }
    ctx.restore();
  }

  function seriesOf(line) {
    const stroke = () => colorOf(`--s${line.color % NUM_COLORS}`);
    return {
      label: line.name, show: visible(line), stroke, width: line.isJoined ? 1.8 : 0, dash: line.side === "base" ? [6, 5] : [],
      spanGaps: true, points: {show: false},
    };
  }

  function axisOf(axis, isVertical) {
    const text = () => colorOf("--quiet");
    const line = () => colorOf("--line");
    return {
      scale: isVertical ? "y" : "x", label: isVertical ? undefined : axis.label, labelSize: 20, labelFont: "12px system-ui, sans-serif",
      font: "11px system-ui, sans-serif", stroke: text, grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1},
      size: isVertical ? 62 : 34, space: isVertical ? 30 : 56,
      ...(axis.names?.length ? {splits: () => axis.names.map((_, number) => number)} : {}),
      ...(axis.isLog ? {splits: (_, __, low, high) => logTicks(low, high, axis.isSize), filter: (_, splits) => splits} : {}),
      values: (_, splits) => splits.map((value) => (value === null ? "" : axis.names?.length ? String(value + 1) : axis.format(value))),
    };
  }

  const isFull = (range, full) => Math.abs(range[0] - full[0]) < 1e-9 * Math.abs(full[1]) && Math.abs(range[1] - full[1]) < 1e-9 * Math.abs(full[1]);
  function tell() {
    const ranges = {x: [plot.scales.x.min, plot.scales.x.max], y: [plot.scales.y.min, plot.scales.y.max]};
    zoomed(isFull(ranges.x, fullX()) && isFull(ranges.y, fullY()) ? null : ranges);
  }
  function show(ranges) {
    plot.batch(() => {
      plot.setScale("x", {min: ranges.x[0], max: ranges.x[1]});
      plot.setScale("y", {min: ranges.y[0], max: ranges.y[1]});
    });
    tell();
  }
  const showAll = () => show({x: fullX(), y: fullY()});

  /** Zooms about the marked point, or about the middle. */
  function zoomBy(factor) {
    const ranges = {};
    for (const [name, axis] of [["x", chart.x], ["y", chart.y]]) {
      const to = axis.isLog ? Math.log : (value) => value;
      const from = axis.isLog ? Math.exp : (value) => value;
      const [low, high] = [to(plot.scales[name].min), to(plot.scales[name].max)];
      const middle = current ? to(current.point[name]) : (low + high) / 2;
      ranges[name] = [from(middle - (middle - low) * factor), from(middle + (high - middle) * factor)];
    }
    const full = {x: fullX(), y: fullY()};
    if (ranges.x[0] <= full.x[0] && ranges.x[1] >= full.x[1]) showAll();
    else show(ranges);
  }

  function step(along, across) {
    const lines = aligned.filter(visible).filter(({points}) => points.some(Boolean));
    if (!lines.length) return;
    const line = current && lines.includes(current.line) ? lines[(lines.indexOf(current.line) + across + lines.length) % lines.length] : lines[0];
    const its = line.points.filter(Boolean);
    let place = current ? its.indexOf(current.point) : 0;
    if (place < 0) {
      const distances = its.map(({x}) => Math.abs(x - current.point.x));
      place = distances.indexOf(Math.min(...distances));
    }
    if (current) place = Math.min(its.length - 1, Math.max(0, place + along));
    mark(line, its[place]);
  }

  const KEYS = {
    ArrowLeft: () => step(-1, 0), ArrowRight: () => step(1, 0), ArrowUp: () => step(0, -1), ArrowDown: () => step(0, 1),
    Home: () => step(-Infinity, 0), End: () => step(Infinity, 0),
    "+": () => zoomBy(ZOOM_STEP), "=": () => zoomBy(ZOOM_STEP), "-": () => zoomBy(1 / ZOOM_STEP), "0": showAll,
  };
  place.addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? null : KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  buttons.append(...[["+", "Zoom in", () => zoomBy(ZOOM_STEP)], ["−", "Zoom out", () => zoomBy(1 / ZOOM_STEP)], ["all", "Show all", showAll]]
    .map(([text, title, click]) => make("button", {type: "button", title, "aria-label": `${title}: ${chart.title}`, click}, text)));

  function build(width) {
    plot = new uPlot({
      width, height: CHART_HEIGHT, legend: {show: false}, padding: [10, 16, 0, 0],
      cursor: {drag: {x: true, y: true, uni: 24, dist: 5}, points: {show: false}, y: true,
        bind: {dblclick: () => () => showAll()}},
      scales: {
        x: {time: false, distr: chart.x.isLog ? 3 : 1, log: 2, auto: false, range: (_, min, max) => [min, max]},
        y: {distr: chart.y.isLog ? 3 : 1, log: 10, auto: false, range: (_, min, max) => [min, max]},
      },
      axes: [axisOf(chart.x, false), axisOf(chart.y, true)],
      series: [{}, ...aligned.map(seriesOf)],
      hooks: {
        draw: [drawMarks],
        setSelect: [() => setTimeout(tell)],
        setCursor: [() => {
          const found = plot.cursor.left >= 0 ? nearest(plot.cursor.left, plot.cursor.top) : null;
          if (found && found.point !== current?.point) mark(found.line, found.point);
        }],
      },
    }, [xs, ...aligned.map(({points}) => points.map((point) => (point ? point.y : null)))], place);
    show(zoom ?? {x: fullX(), y: fullY()});
  }

  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry.contentRect.width);
    if (width <= 0) return;
    if (plot === null) build(width);
    else if (width !== plot.width) plot.setSize({width, height: CHART_HEIGHT});
  }).observe(place);
  const recolor = () => plot?.redraw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolor);

  /** Shows the lines whose names are not in `hidden`. */
  function refresh() {
    if (plot === null) return;
    aligned.forEach((line, number) => plot.setSeries(number + 1, {show: visible(line)}));
    showAll();
  }
  return {figure, refresh};
}

/** A button for each name of lines, and samples of what the sides and the maximum look like. */
function makeLegend(chart, hidden, changed) {
  const sample = (className, ...parts) => make("svg", {viewBox: "0 0 34 14", class: className, "aria-hidden": "true"}, ...parts);
  const line = (className) => make("line", {class: className, x1: 1, x2: 33, y1: 7, y2: 7});
  const looks = new Map([...chart.lines].reverse().map(({name, color, side}) => [name, {color, side}]));
  const sides = new Set(chart.lines.map(({side}) => side));
  const legend = make("div", {class: "legend", role: "group", "aria-label": "Lines"});
  for (const [name, {color, side}] of [...looks].reverse()) {
    const isDashed = side === "base" && chart.sidesAreNamed;
    const button = make("button", {type: "button", "aria-pressed": String(!hidden.has(name)), click: () => {
      if (!hidden.delete(name)) hidden.add(name);
      changed();
      button.setAttribute("aria-pressed", String(!hidden.has(name)));
    }}, sample(`s${color % NUM_COLORS}`, line(isDashed ? "line base" : "line"), make("path", {class: isDashed ? "mark base" : "mark", d: MARKS[color % MARKS.length](17, 7, 3.4)})), name);
    legend.append(button);
  }
  if (sides.has("base") && !chart.sidesAreNamed) legend.append(make("span", {}, sample("s6", line("line")), "head"), make("span", {}, sample("s6", line("line base")), "base"));
  if (sides.has("published")) legend.append(make("span", {}, sample("s6", make("circle", {class: "mark base", cx: 17, cy: 7, r: 4})), chart.published));
  if (chart.maximum !== null) legend.append(make("span", {}, sample("", line("maximum")), "theoretical maximum"));
  return legend;
}
