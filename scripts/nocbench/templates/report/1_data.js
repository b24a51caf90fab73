// Points of the report, by column.

const report = JSON.parse(document.getElementById("data").textContent);
const points = report.points;
const numPoints = points.arch.length;

/** A text of a point: texts are stored once, and points have their places. */
const textOf = (column, point) => report.texts[points[column][point]];

/** What both sides have, or one text where it is the same or there is but one side. */
function fromTo(base, head, format) {
  if (!report.hasBase) return head === null ? "" : format(head);
  const [left, right] = [base, head].map((value) => (value === null ? "none" : format(value)));
  return left === right ? right : `${left} → ${right}`;
}

const cyclesPercent = (point) => percentBetween(points.baseCycles[point], points.headCycles[point]);
const bandwidthPercent = (point) => percentBetween(points.baseBandwidth[point], points.headBandwidth[point]);
const isChanged = (point) => points.changed[point] === 1;
const fails = (point) => points.fails[point] === 1;

function peakPercent(point) {
  const peak = report.tables[points.table[point]].peak;
  const bandwidth = points.headBandwidth[point] ?? points.baseBandwidth[point];
  return peak === null || bandwidth === null ? null : (100 * bandwidth) / peak;
}

/** The points of a table, by its number. */
const pointsOfTable = report.tables.map(() => []);
for (let point = 0; point < numPoints; point += 1) pointsOfTable[points.table[point]].push(point);

function sizeOfPoint(point) {
  const [size, call] = [points.size[point], points.call[point]];
  return call === size ? formatSize(size) : `${formatSize(call)} per call`;
}

function whereOf(point) {
  const board = textOf("board", point);
  return textOf("arch", point) + (board ? ` (${board})` : "");
}

function verdictBadge(point) {
  const verdict = textOf("verdict", point);
  return make("span", {class: fails(point) ? "verdict fails" : "verdict", "data-verdict": verdict}, verdict);
}
