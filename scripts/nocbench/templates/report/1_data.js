"use strict";
// What the page is about, and small tools. Elements are made with textContent alone: no text is ever read as HTML.

const report = JSON.parse(document.getElementById("data").textContent);
const points = report.points;
const numPoints = points.arch.length;

/** A text of a point: texts are stored once, and points have their places. */
const textOf = (column, point) => report.texts[points[column][point]];

const byId = (id) => document.getElementById(id);

/** Makes an element. Attributes that are functions become listeners; those that are false or null are left out. */
function make(name, attributes = {}, ...children) {
  const svgNames = ["svg", "line", "polyline", "circle", "path", "text", "g", "title", "rect"];
  const element = svgNames.includes(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

/** Exactly, and as short as possible: "1.5 KiB", "2016 B". */
function formatSize(bytes) {
  for (const [unit, factor] of [["GiB", 1 << 30], ["MiB", 1 << 20], ["KiB", 1 << 10]]) {
    const quarters = (4 * bytes) / factor;
    if (quarters >= 4 && Number.isInteger(quarters)) return `${quarters / 4} ${unit}`;
  }
  return `${bytes} B`;
}

function formatCycles(cycles) {
  return cycles.toLocaleString("en-US", {maximumFractionDigits: 2});
}

const formatBandwidth = (bandwidth) => String(Number(bandwidth.toPrecision(4)));

/** A change with its sign; never rounded to nothing. */
function formatPercent(percent) {
  if (percent === 0) return "0 %";
  const digits = Math.abs(percent) >= 0.01 ? percent.toFixed(2) : percent.toPrecision(2);
  return `${percent > 0 ? "+" : ""}${digits} %`;
}

/** What both sides have, or one text where it is the same or there is but one side. */
function fromTo(base, head, format) {
  if (!report.hasBase) return head === null ? "" : format(head);
  const [left, right] = [base, head].map((value) => (value === null ? "none" : format(value)));
  return left === right ? right : `${left} → ${right}`;
}

const percentBetween = (base, head) => (base === null || head === null ? null : (100 * (head - base)) / base);
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
