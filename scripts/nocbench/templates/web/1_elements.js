"use strict";
// Small tools. Elements are made with textContent alone: no text is ever read as HTML.

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

/** At most three digits, with a letter for thousands. */
function shortNumber(value) {
  for (const [unit, factor] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (value >= factor) return `${Number((value / factor).toPrecision(3))} ${unit}`;
  }
  return String(Number(value.toPrecision(3)));
}

/** A change with its sign; never rounded to nothing. */
function formatPercent(percent) {
  if (percent === 0) return "0 %";
  const digits = Math.abs(percent) >= 0.01 ? percent.toFixed(2) : percent.toPrecision(2);
  return `${percent > 0 ? "+" : ""}${digits} %`;
}

const percentBetween = (base, head) => (base === null || head === null ? null : (100 * (head - base)) / base);

function quiet(text) {
  return text ? make("span", {class: "quiet"}, text) : "";
}

/** Words, and phrases in quotation marks. */
function termsOf(text) {
  return (text.toLowerCase().match(/"[^"]*"?|\S+/g) ?? []).map((term) => term.replaceAll('"', "")).filter(Boolean);
}

/** Anywhere in the text; but a number is found only where one begins: "4kib" is not in "64kib". */
function holds(text, term) {
  const isNumber = /^\d/.test(term);
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (!isNumber || at === 0 || !/[\da-z.]/.test(text[at - 1])) return true;
  }
  return false;
}
