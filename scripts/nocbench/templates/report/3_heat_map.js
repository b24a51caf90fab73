// By how much the head differs from the base, in percent: a cell per size and number of transactions. The colours
// diverge from 0, orange is worse whichever way that is, and every cell has its number.

const LEAST_FULL_PERCENT = 1;
const FULL_OPACITY = 0.62;

function shade(element, worsePercent, fullPercent) {
  const opacity = Math.min(1, Math.abs(worsePercent) / fullPercent) * FULL_OPACITY;
  const color = worsePercent > 0 ? "--worse" : "--better";
  if (worsePercent !== 0) element.style.background = `rgba(var(${color}), ${opacity.toFixed(3)})`;
}

/** `metric` is "Cycles" or "Bandwidth"; `open` is called with a point. */
function drawHeatMap(table, metric, open) {
  const about = report.tables[table];
  const series = seriesOf(table);
  const percentOf = metric === "Cycles" ? cyclesPercent : bandwidthPercent;
  const worse = metric === "Cycles" ? 1 : -1;
  const columns = [...new Set(series.flatMap(([, members]) => members.map((point) => points.x[point])))].sort((a, b) => a - b);
  const percents = series.flatMap(([, members]) => members.map(percentOf)).filter((percent) => percent !== null);
  const full = Math.max(LEAST_FULL_PERCENT, ...percents.map(Math.abs));

  const head = make("tr", {}, make("th", {}, `${about.seriesLabel} \\ ${about.xLabel}`));
  for (const column of columns) head.append(make("th", {scope: "col"}, about.xLog ? formatSize(column) : String(column)));
  const body = make("tbody");
  for (const [name, members] of series) {
    const row = make("tr", {}, make("th", {scope: "row"}, name));
    for (const column of columns) {
      const point = members.find((member) => points.x[member] === column);
      row.append(point === undefined ? make("td", {}, make("div", {class: "none"}, "")) : heatCell(point));
    }
    body.append(row);
  }

  function heatCell(point) {
    const percent = percentOf(point);
    const verdict = textOf("verdict", point);
    const text = percent === null ? verdict : formatPercent(percent);
    const title = `${name(point)}: ${fromTo(points.baseCycles[point], points.headCycles[point], formatCycles)} cycles, ${verdict}`;
    const cell = make("td", {}, make("button", {type: "button", title, click: () => open(point)}, text));
    if (percent !== null) shade(cell, worse * percent, full);
    return cell;
  }
  function name(point) {
    return `${textOf("series", point)}, ${sizeOfPoint(point)}`;
  }

  const caption = `Head against base, ${metric === "Cycles" ? "latency" : "bandwidth"}, in percent`;
  const map = make("table", {}, make("caption", {}, caption), make("thead", {}, head), body);
  return make("div", {class: "heat"}, make("div", {class: "plain-scroll"}, map), drawScale(worse, full));
}

function drawScale(worse, full) {
  const scale = make("span", {class: "scale"});
  for (const part of [-1, -0.5, 0, 0.5, 1]) {
    const step = make("span", {}, formatPercent(Number((part * full).toPrecision(3))));
    shade(step, worse * part, 1);
    scale.append(step);
  }
  const words = worse > 0 ? ["better", "worse"] : ["worse", "better"];
  return make("p", {class: "quiet"}, `${words[0]} `, scale, ` ${words[1]}`);
}
