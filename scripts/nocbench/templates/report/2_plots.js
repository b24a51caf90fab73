// Latency and bandwidth of a test against size: all series, the base dashed, the theoretical maximum.

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

/** `metric` is "Cycles" or "Bandwidth": of the columns baseCycles, headCycles, ... Returns null without values. */
function chartOf(table, metric) {
  const about = report.tables[table];
  const format = metric === "Cycles" ? formatCycles : formatBandwidth;
  const unit = metric === "Cycles" ? "cycles" : "B/cycle";
  const formatX = about.xLog ? formatSize : String;
  const lines = seriesOf(table).flatMap(([name, members], color) => ["base", "head"].map((side) => {
    const values = points[`${side}${metric}`];
    return {name, color, side, points: members.filter((point) => values[point] !== null).map((point) => ({
      x: points.x[point], y: values[point], point,
      words: `${name}, ${formatX(points.x[point])}: ${format(values[point])} ${unit}${report.hasBase ? ` (${side})` : ""}`,
    }))};
  })).filter((line) => line.points.length);
  if (!lines.length) return null;
  const maximum = metric === "Bandwidth" && about.peak !== null
    ? {value: about.peak, name: `theoretical maximum, ${formatBandwidth(about.peak)} B/cycle`} : null;
  const name = metric === "Cycles" ? "Latency, cycles" : "Bandwidth, B/cycle";
  return {
    title: name, maximum, lines,
    x: {label: about.xLabel, isLog: about.xLog, isSize: about.xLog, format: formatX},
    y: {isLog: metric === "Cycles" && about.xLog, format: shortNumber},
  };
}

/** Both panels of a table and their legend; `chosen` is a point with a ring, or null. */
function drawPlots(table, chosen) {
  const charts = ["Cycles", "Bandwidth"].map((metric) => chartOf(table, metric)).filter(Boolean);
  if (!charts.length) return make("p", {class: "quiet"}, "Nothing to plot.");
  const hidden = new Set();
  const panels = charts.map((chart) => makeChart(chart, {hidden, ring: ({point}) => point === chosen}));
  const legend = makeLegend(charts.at(-1), hidden, () => panels.forEach(({refresh}) => refresh()));
  return make("div", {}, make("div", {class: "plots"}, ...panels.map(({figure}) => figure)), legend);
}
