// Charts and tables of the points of a test. A test is what its file of data has: points by column, panels and lines.

const METRICS = [
  {name: "cycles", title: () => "Duration", unit: () => "cycles", format: formatCycles, mayBeLog: true,
    columns: {head: "cycles", base: "baseCycles", published: "publishedCycles"}},
  {name: "rate", title: (test) => test.rate.title, unit: (test) => test.rate.unit, format: formatBandwidth, mayBeLog: true, hasMaximum: true,
    columns: {head: "rate", base: "baseRate", published: "publishedRate"}},
  {name: "error", title: (test) => `Error against ${test.published}`, unit: () => "%", format: formatPercent,
    columns: {head: "error"}},
];
const SMALL_SHARE = 0.1;

const valueOf = (test, column, point) => test.points[column]?.[point] ?? null;
const numPointsOf = (test) => test.points.cycles.length;
const formatX = (test, value) => (test.x.names.length ? test.x.names[value] : test.x.isSize ? formatSize(value) : String(Number(value.toPrecision(4))));

/** The points of a panel, in the order of the results. */
const pointsOfPanel = (test, panel) => [...Array(numPointsOf(test)).keys()].filter((point) => test.points.panel[point] === panel);

/** A point in words: where it is, its values, those that were published, and its limiter. */
function pointInWords(test, point, prefix = "") {
  const value = (column) => valueOf(test, column, point);
  const line = test.lines[value("line")];
  const where = [prefix, line === "model" ? "" : line, formatX(test, value("x"))].filter(Boolean).join(", ");
  const parts = [`${formatCycles(value("cycles"))} cycles`, `${formatBandwidth(value("rate"))} ${test.rate.unit}`];
  if (value("publishedCycles") !== null) parts.push(`${test.published} ${formatCycles(value("publishedCycles"))} cycles`, `error ${formatPercent(value("error"))}`);
  if (value("baseCycles") !== null) parts.push(`base ${formatCycles(value("baseCycles"))} cycles (${formatPercent(percentBetween(value("baseCycles"), value("cycles")))})`);
  parts.push(`limited by ${test.texts[value("limiter")]}`);
  if (value("fault") !== null) parts.push(test.texts[value("fault")]);
  return `${where}: ${parts.join("; ")}`;
}

const commandOf = (test, point) => `${test.command} ${test.texts[valueOf(test, "arguments", point)]}`;

const nameOfSide = (test, side) => ({published: test.published, base: "base"})[side] ?? "";

/** Lines of a panel for a chart. The second of two tests is drawn as a base is. */
function linesOf(test, panel, metric, {prefix = "", isSecond = false} = {}) {
  const points = pointsOfPanel(test, panel);
  return test.lines.flatMap((line, number) => Object.entries(metric.columns).map(([side, column]) => ({
    name: [prefix, line === "model" && prefix ? "" : line].filter(Boolean).join(", "), color: number, side: isSecond && side === "head" ? "base" : side,
    points: points.filter((point) => test.points.line[point] === number && valueOf(test, column, point) !== null && !(isSecond && side === "base"))
      .map((point) => ({x: test.points.x[point], y: valueOf(test, column, point), point, words: [nameOfSide(test, side), pointInWords(test, point, prefix)].filter(Boolean).join(" at ")}))
      .sort((a, b) => a.x - b.x),
  }))).filter((line) => line.points.length);
}

/** A chart of one or two parts of tests, {test, panel, prefix}, along the axis of the first; null if there are no values. */
function chartOf(parts, metric, {xLog, yLog}) {
  const lines = parts.flatMap(({test, panel, prefix}, place) => linesOf(test, panel, metric, {prefix, isSecond: place > 0}));
  if (!lines.length) return null;
  const [{test}] = parts;
  const values = lines.flatMap(({points}) => points.map(({y}) => y));
  const highest = Math.max(...parts.map((part) => part.test.maximum));
  const showsMaximum = metric.hasMaximum && Math.max(...values) >= SMALL_SHARE * highest;
  const unit = metric.unit(test);
  return {
    title: `${metric.title(test)}, ${unit}`, lines, published: test.published, sidesAreNamed: parts.length > 1,
    maximum: showsMaximum ? {value: highest, name: `theoretical maximum, ${formatBandwidth(highest)} ${unit}`} : null,
    x: {label: test.x.label, isLog: xLog, isSize: test.x.isSize, names: test.x.names, format: (value) => formatX(test, value)},
    y: {isLog: yLog && metric.mayBeLog && Math.min(...values) > 0, format: shortNumber},
  };
}

/** A table of the points of a panel; `open(point)` is called with the one that is chosen. */
function tableOf(test, panel, open) {
  const has = (column) => test.points[column] !== undefined;
  const number = (format, column) => (point) => (valueOf(test, column, point) === null ? "" : format(valueOf(test, column, point)));
  const columns = [
    {name: test.x.label || "point", cell: (point) => formatX(test, test.points.x[point])},
    ...(test.lines.length > 1 ? [{name: "line", cell: (point) => test.lines[test.points.line[point]]}] : []),
    {name: "cycles", cell: number(formatCycles, "cycles"), isNumber: true},
    {name: test.rate.unit, cell: number(formatBandwidth, "rate"), isNumber: true},
    {name: "of maximum", cell: (point) => `${(100 * test.points.rate[point] / test.maximum).toFixed(1)} %`, isNumber: true},
    ...(has("publishedCycles") ? [{name: `${test.published}, cycles`, cell: number(formatCycles, "publishedCycles"), isNumber: true},
      {name: "error", cell: number(formatPercent, "error"), isNumber: true}] : []),
    ...(has("baseCycles") ? [{name: "base, cycles", cell: number(formatCycles, "baseCycles"), isNumber: true}, {name: "change", isNumber: true,
      cell: (point) => (valueOf(test, "baseCycles", point) === null ? "" : formatPercent(percentBetween(test.points.baseCycles[point], test.points.cycles[point])))}] : []),
    {name: "limited by", cell: (point) => test.texts[test.points.limiter[point]]},
  ];
  const head = make("tr", {}, ...columns.map(({name, isNumber}) => make("th", {scope: "col", class: isNumber ? "number" : null}, name)));
  const rows = pointsOfPanel(test, panel).map((point) => make("tr", {}, ...columns.map(({cell, isNumber}, place) => (place
    ? make("td", {class: isNumber ? "number" : null}, cell(point))
    : make("th", {scope: "row"}, make("button", {type: "button", class: "plain", click: () => open(point)}, cell(point)))))));
  return make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Points as a table"},
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
}
