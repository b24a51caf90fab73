// The table of points: sorted, filtered, a page of rows at a time. The state is in the URL's hash, so that it can be sent.

const ROWS_PER_PAGE = 50;
const state = {q: "", verdict: "", arch: "", primitive: "", sort: "", page: 1, point: ""};
const FILTERS = ["q", "verdict", "arch", "primitive"];
const CHANGED = "changed, any";
const FAILING = "failing, any";

const verdictColumn = {
  name: "verdict", key: (point) => point, isVerdict: true,
};
const COLUMNS = [
  ...(report.hasBase ? [verdictColumn] : []),
  {name: "architecture", key: whereOf, cell: (point) => [textOf("arch", point), " ", quiet(textOf("board", point))]},
  {name: "primitive", key: (point) => textOf("primitive", point)},
  {name: "test", key: (point) => points.testId[point] * 1e6 + points.test[point], cell: testCell},
  {name: "kernel", key: (point) => textOf("kernel", point)},
  {name: "transactions", key: (point) => points.count[point], isNumber: true},
  {name: "size", key: (point) => points.size[point], isNumber: true, cell: (point) => [sizeOfPoint(point)]},
  {name: "cycles", key: (point) => points.headCycles[point] ?? points.baseCycles[point], isNumber: true,
    cell: (point) => [fromTo(points.baseCycles[point], points.headCycles[point], formatCycles)]},
  ...(report.hasBase ? [{name: "change", key: cyclesPercent, isNumber: true,
    cell: (point) => [cyclesPercent(point) === null ? "" : formatPercent(cyclesPercent(point))]}] : []),
  {name: "B/cycle", key: (point) => points.headBandwidth[point] ?? points.baseBandwidth[point], isNumber: true,
    cell: (point) => [fromTo(points.baseBandwidth[point], points.headBandwidth[point], formatBandwidth)]},
  {name: "of maximum", key: peakPercent, isNumber: true,
    cell: (point) => [peakPercent(point) === null ? "" : `${peakPercent(point).toFixed(1)} %`]},
  {name: "limiter", key: (point) => textOf("headLimiter", point) || textOf("baseLimiter", point),
    cell: (point) => [fromTo(textOf("baseLimiter", point) || null, textOf("headLimiter", point) || null, String)]},
];

function testCell(point) {
  const params = textOf("params", point);
  return params ? [textOf("test", point), " ", quiet(params)] : [textOf("test", point)];
}

const haystacks = new Array(numPoints);
function haystackOf(point) {
  haystacks[point] ??= [
    ...["arch", "board", "primitive", "test", "kernel", "params", "verdict", "baseLimiter", "headLimiter"].map((column) => textOf(column, point)),
    `${points.count[point]} x ${points.size[point]}`, sizeOfPoint(point), sizeOfPoint(point).replace(" ", ""),
  ].join(" ").toLowerCase();
  return haystacks[point];
}

function isShown(point, terms) {
  if (state.verdict === CHANGED ? !isChanged(point) : state.verdict === FAILING ? !fails(point)
    : state.verdict && textOf("verdict", point) !== state.verdict) return false;
  if (state.arch && textOf("arch", point) !== state.arch) return false;
  if (state.primitive && textOf("primitive", point) !== state.primitive) return false;
  return terms.every((term) => holds(haystackOf(point), term));
}

/** The points that are shown, in the order in which they are. Those without a value come last, whichever way. */
function shownPoints() {
  const terms = termsOf(state.q);
  const shown = [];
  for (let point = 0; point < numPoints; point += 1) if (isShown(point, terms)) shown.push(point);
  const isDown = state.sort.startsWith("-");
  const column = COLUMNS.find(({name}) => name === state.sort.replace(/^-/, ""));
  if (!column) return shown;
  const keys = new Map(shown.map((point) => [point, column.key(point)]));
  const compare = (a, b) => {
    const [left, right] = [keys.get(a), keys.get(b)];
    if (left === null || right === null) return (left === null) - (right === null);
    const order = typeof left === "number" ? left - right : left < right ? -1 : left > right ? 1 : 0;
    return isDown ? -order : order;
  };
  return shown.sort((a, b) => compare(a, b) || a - b);
}

function renderHead() {
  const row = make("tr");
  for (const column of COLUMNS) {
    const isSorted = state.sort.replace(/^-/, "") === column.name;
    const isDown = isSorted && state.sort.startsWith("-");
    const arrow = isSorted ? (isDown ? " ▼" : " ▲") : "";
    row.append(make("th", {
      scope: "col", class: column.isNumber ? "number" : null,
      "aria-sort": isSorted ? (isDown ? "descending" : "ascending") : "none",
    }, make("button", {type: "button", "data-sort": column.name, click: () => sortBy(column)}, column.name + arrow)));
  }
  const hadFocus = document.activeElement?.dataset?.sort;
  byId("table").tHead.replaceChildren(row);
  if (hadFocus) [...row.querySelectorAll("button")].find((button) => button.dataset.sort === hadFocus)?.focus();
}

/** First the way that one is likely to want, then the other, then as it was. */
function sortBy(column) {
  const ways = column.isNumber ? [`-${column.name}`, column.name, ""] : [column.name, `-${column.name}`, ""];
  update({sort: ways[(ways.indexOf(state.sort) + 1) % ways.length], page: 1});
}

function renderBody(shown) {
  const numPages = Math.max(1, Math.ceil(shown.length / ROWS_PER_PAGE));
  state.page = Math.min(Math.max(1, state.page), numPages);
  const first = (state.page - 1) * ROWS_PER_PAGE;
  const body = byId("table").tBodies[0];
  body.replaceChildren(...shown.slice(first, first + ROWS_PER_PAGE).flatMap(renderRow));
  if (!shown.length) body.append(make("tr", {}, make("td", {colspan: COLUMNS.length, class: "quiet"}, "No point matches.")));
  // A point has a row for each of its kernels.
  const what = report.numPoints === numPoints ? "points" : `rows, of ${report.numPoints} points`;
  byId("count").textContent = `${shown.length === numPoints ? "" : `${shown.length} of `}${numPoints} ${what}`;
  byId("pager").replaceChildren(...(numPages === 1 ? [] : [
    make("button", {type: "button", disabled: state.page === 1, click: () => update({page: state.page - 1})}, "Previous page"),
    `page ${state.page} of ${numPages}`,
    make("button", {type: "button", disabled: state.page === numPages, click: () => update({page: state.page + 1})}, "Next page"),
  ]));
}

function renderRow(point) {
  const isOpen = state.point === String(point);
  const row = make("tr", {class: "point", "data-point": point, click: (event) => {
    if (!event.target.closest("a, .open") && !String(getSelection())) toggle(point);
  }});
  COLUMNS.forEach((column, place) => {
    const content = column.isVerdict ? [verdictBadge(point)] : column.cell ? column.cell(point)
      : [column.isNumber ? String(column.key(point)) : column.key(point)];
    const opener = place === 0 ? [make("button", {
      type: "button", class: "open", "aria-expanded": String(isOpen), click: () => toggle(point), keydown: moveFocus,
    }, ...content)] : content;
    const className = column.isNumber ? "number" : column.name === "test" ? "wide" : "nowrap";
    row.append(make("td", {class: className}, ...opener));
  });
  if (!isOpen) return [row];
  return [row, make("tr", {class: "detail"}, make("td", {colspan: COLUMNS.length}, renderDetail(point)))];
}

/** Up and down go from row to row. */
function moveFocus(event) {
  const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
  if (!step) return;
  const openers = [...document.querySelectorAll("#table .open")];
  const next = openers[openers.indexOf(event.currentTarget) + step];
  if (next) {
    event.preventDefault();
    next.focus();
  }
}

function toggle(point) {
  update({point: state.point === String(point) ? "" : String(point)});
  document.querySelector(`#table tr[data-point="${point}"] .open`)?.focus({preventScroll: true});
}

function renderDetail(point) {
  const facts = make("dl");
  const fact = (name, text) => text && facts.append(make("dt", {}, name), make("dd", {}, text));
  if (report.hasBase) fact("verdict", textOf("verdict", point));
  fact("why", textOf("why", point));
  fact("excuse", textOf("excuse", point));
  fact("parameters", textOf("params", point));
  const [base, head] = [points.baseLimiter[point], points.headLimiter[point]].map((place) => report.texts[place]);
  fact("limited by", fromTo(base || null, head || null, String));
  const command = textOf("command", point);
  const title = `${textOf("test", point)}, ${textOf("kernel", point)}, ${points.count[point]} x ${sizeOfPoint(point)} on ${whereOf(point)}`;
  return make("div", {class: "inside"}, make("h3", {}, title), facts,
    commandLine("run it", command), commandLine("its timeline", command.replace(/^nocbench run/, "nocbench trace")),
    ...report.traces.filter((trace) => trace.points.includes(point)).map((trace) => make("p", {}, traceLink(trace))),
    drawPlots(points.table[point], point));
}

function commandLine(label, command) {
  const code = make("code", {}, command);
  const button = make("button", {type: "button", click: () => {
    getSelection().selectAllChildren(code);
    const done = navigator.clipboard ? navigator.clipboard.writeText(command) : Promise.reject();
    done.then(() => { button.textContent = "Copied"; }, () => { button.textContent = "Selected"; });
  }}, "Copy");
  return make("div", {class: "command"}, make("span", {class: "quiet nowrap"}, label), make("pre", {}, code), button);
}

/** Changes the state, the hash with it, and shows what it says. */
function update(changes) {
  const before = {...state};
  Object.assign(state, changes);
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) if (value && !(key === "page" && value === 1)) parameters.set(key, value);
  const hash = `#${parameters}`;
  if (location.hash !== hash && (location.hash || hash !== "#")) location.replace(hash);
  if (before.sort !== state.sort || !byId("table").tHead.rows.length) renderHead();
  const shown = shownPoints();
  renderBody(shown);
  renderIndex(shown);
}

function readHash() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const changes = {};
  for (const key of Object.keys(state)) changes[key] = parameters.get(key) ?? "";
  changes.page = Number.parseInt(changes.page, 10) || 1;
  const form = byId("filters");
  for (const key of FILTERS) {
    form.elements[key].value = changes[key];
    if (form.elements[key].value !== changes[key]) changes[key] = "";  // no such choice
  }
  Object.assign(state, changes);
  return changes;
}
