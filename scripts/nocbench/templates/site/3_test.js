// The page of a test: charts of its points, a table of them, the command of one, and an example.

pages.test = () => {
  const name = document.body.dataset.test;
  load(name).then((test) => {
    showPoints(test);
    if (test.example) load(test.example).then(showExample);
    document.documentElement.dataset.ready = "true";
  });
};

/** Shows the charts and the table of a test; the state of the view is read and written by `place`. */
function showPoints(test, stateOfView = address) {
  const state = {panel: "0", xlog: test.x.isLog ? "1" : "0", ylog: "", hide: "", point: "", ...stateOfView.read()};
  const metrics = METRICS.filter(({columns}) => test.points[columns.head]);
  const hidden = new Set(state.hide.split("|").filter(Boolean));
  const command = make("code");
  const place = byId("charts");

  function describe(point) {
    state.point = point === null ? "" : String(point);
    byId("point").hidden = point === null;
    if (point !== null) {
      byId("point-words").textContent = pointInWords(test, point);
      command.textContent = commandOf(test, point);
    }
    stateOfView.write(known());
  }
  /** The state without what is so by default. */
  function known() {
    const words = {...state, hide: [...hidden].join("|")};
    if (words.panel === "0") delete words.panel;
    if (words.xlog === (test.x.isLog ? "1" : "0")) delete words.xlog;
    return words;
  }
  function draw() {
    const panel = Math.min(Math.max(0, Number(state.panel) || 0), test.panels.length - 1);
    const yIsLog = {cycles: state.ylog === "" ? test.x.isLog : state.ylog === "1", rate: state.ylog === "1"};
    const drawn = metrics.map((metric) => [metric, chartOf([{test, panel}], metric, {xLog: state.xlog === "1" && test.x.isLog, yLog: yIsLog[metric.name]})]).filter(([, chart]) => chart);
    const charts = drawn.map(([metric, chart]) => makeChart(chart, {
      hidden, zoom: readZoom(state[`zoom-${metric.name}`]), ring: ({point}) => String(point) === state.point,
      zoomed(ranges) {
        state[`zoom-${metric.name}`] = ranges ? [...ranges.x, ...ranges.y].map((value) => Number(value.toPrecision(6))).join(",") : "";
        stateOfView.write(known());
      },
      marked: ({point}) => describe(point),
    }));
    const legend = drawn.length ? makeLegend(drawn[0][1], hidden, () => {
      charts.forEach(({refresh}) => refresh());
      stateOfView.write(known());
    }) : "";
    place.replaceChildren(make("div", {class: "plots"}, ...charts.map(({figure}) => figure)), legend);
    byId("table").replaceChildren(tableOf(test, panel, (point) => {
      describe(point);
      byId("point").scrollIntoView({block: "nearest"});
    }));
  }
  const controls = byId("controls");
  const redraw = (changes) => {
    for (const metric of METRICS) state[`zoom-${metric.name}`] = "";
    Object.assign(state, changes);
    draw();
    stateOfView.write(known());
  };
  if (test.panels.length > 1) {
    const select = make("select", {change: () => redraw({panel: select.value, point: ""})}, ...test.panels.map((words, number) => make("option", {value: number}, words)));
    select.value = state.panel;
    controls.append(make("label", {}, "Show ", select));
  }
  const box = (text, key, value) => {
    const input = make("input", {type: "checkbox", change: () => redraw({[key]: input.checked ? "1" : "0"})});
    input.checked = value;
    return make("label", {}, input, ` ${text}`);
  };
  if (test.x.isLog) controls.append(box("logarithmic horizontal axis", "xlog", state.xlog === "1"));
  controls.append(box("logarithmic vertical axes", "ylog", state.ylog === "1"));
  byId("point-command").append(make("pre", {tabindex: "0"}, command));
  draw();
  if (state.point !== "" && Number(state.point) < numPointsOf(test)) describe(Number(state.point));
}

/** The four ends of a zoom in the address, or null. */
function readZoom(text) {
  const ends = (text ?? "").split(",").map(Number);
  return ends.length === 4 && ends.every(Number.isFinite) && ends[0] < ends[1] && ends[2] < ends[3] ? {x: ends.slice(0, 2), y: ends.slice(2)} : null;
}

function showExample(example) {
  byId("example").hidden = false;
  byId("example-point").textContent = example.point;
  byId("example-command").textContent = example.command;
  byId("floor-plan").replaceChildren(...drawFloorPlan(example.floorPlan));
  byId("time-line").replaceChildren(...drawTimeLine(example.timeLine));
}
