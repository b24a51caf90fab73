// Pages that ask the server of nocbench serve.

const ASK_AFTER_MILLISECONDS = 60;
const SLIDER_STEPS = 200;
const SLIDER_FACTOR = 4;

/** Asks the server; returns its answer, or throws an error with its words. */
async function ask(kind, question, signal) {
  const response = await fetch(`${siteRoot}api/${kind}`, {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(question), signal,
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  const {answer, fault} = await response.json();
  if (fault !== undefined) throw new Error(fault);
  return answer;
}

pages.live = async () => {
  const known = address.read();
  const arch = byId("live-arch");
  const test = byId("live-test");
  const status = byId("live-status");
  const tests = await ask("tests", {});
  arch.append(...Object.keys(tests).map((name) => make("option", {}, name)));
  arch.value = known.arch in tests ? known.arch : "blackhole";
  test.value = known.test ?? "One to One Packet Sizes";
  const changed = new Map(Object.entries(known).filter(([name]) => name.includes(".")).map(([name, value]) => [name, Number(value)]).filter(([, value]) => Number.isFinite(value)));
  let fields = {};
  let view = {};
  let [timer, running] = [0, null];

  function settings() {
    return Object.fromEntries([...changed].map(([name, value]) => [name, fields[name]?.isWhole ? Math.round(value) : Number(value.toPrecision(5))]));
  }
  function schedule() {
    clearTimeout(timer);
    timer = setTimeout(answer, ASK_AFTER_MILLISECONDS);
  }
  async function answer() {
    running?.abort();
    running = new AbortController();
    const {signal} = running;
    const question = {arch: arch.value, test: test.value, settings: settings()};
    address.write({arch: question.arch, test: question.test, ...question.settings});
    for (const accuracy of ["fast", "exact"]) {
      const begin = performance.now();
      status.textContent = accuracy === "fast" ? "…" : `${status.textContent} The exact engine is at work.`;
      try {
        const found = await ask("curve", {...question, accuracy}, signal);
        draw(found);
        const left = found.leftOut ? ` ${found.leftOut} points that take long are left out.` : "";
        status.textContent = `${accuracy === "fast" ? "Fast engine" : "Exact"}: ${numPointsOf(found)} points in ${((performance.now() - begin) / 1000).toFixed(2)} s.${left}`;
        status.classList.remove("fails");
      } catch (error) {
        if (error.name === "AbortError") return;
        status.textContent = error.message;
        status.classList.add("fails");
        if (accuracy === "exact") byId("live-result").hidden = true;
      }
    }
  }
  function draw(found) {
    byId("live-result").hidden = false;
    byId("controls").replaceChildren();
    byId("point-command").replaceChildren();
    showPoints(found, {read: () => view, write: (state) => {
      view = state;
    }});
  }
  function drawFields() {
    byId("live-fields").replaceChildren(...[...changed].map(([name, value]) => {
      const field = fields[name];
      if (!field) return make("p", {class: "fails"}, `${arch.value} has no number ${name}.`);
      const [low, high] = [field.value / SLIDER_FACTOR, Math.max(field.value, 1) * SLIDER_FACTOR];
      const step = field.isWhole ? Math.max(1, Math.round((high - low) / SLIDER_STEPS)) : (high - low) / SLIDER_STEPS;
      const from = field.isWhole ? Math.floor(low) : low;
      const number = make("input", {type: "number", step: field.isWhole ? 1 : "any", value, "aria-label": `${name}, exactly`});
      const slider = make("input", {type: "range", min: from, max: high, step, value, "aria-label": name});
      const set = (text) => {
        if (text === "" || !Number.isFinite(Number(text))) return;
        changed.set(name, Number(text));
        number.value = slider.value = text;
        schedule();
      };
      slider.addEventListener("input", () => set(slider.value));
      number.addEventListener("input", () => set(number.value));
      const remove = make("button", {type: "button", click: () => {
        changed.delete(name);
        drawFields();
        schedule();
      }}, "as it is");
      return make("div", {class: "field"}, make("strong", {}, name), slider, number, make("span", {class: "quiet"}, `${field.unit}; ${field.value} as it is, ${field.status}`), remove);
    }));
  }
  async function chooseMachine() {
    byId("live-tests").replaceChildren(...tests[arch.value].map((name) => make("option", {value: name})));
    fields = await ask("fields", {arch: arch.value});
    byId("live-field-names").replaceChildren(...Object.entries(fields).map(([name, {unit, value}]) => make("option", {value: name}, `${value} ${unit}`)));
    drawFields();
    schedule();
  }
  arch.addEventListener("change", () => {
    if (!tests[arch.value].includes(test.value)) test.value = tests[arch.value][0];
    view = {};
    chooseMachine();
  });
  test.addEventListener("change", () => {
    view = {};
    schedule();
  });
  byId("live-fields").addEventListener("submit", (event) => event.preventDefault());
  byId("choices").addEventListener("submit", (event) => event.preventDefault());
  byId("live-add").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = byId("live-field").value.trim();
    if (!(name in fields)) {
      status.textContent = `${arch.value} has no number ${name || "without a name"}.`;
      return;
    }
    changed.set(name, fields[name].value);
    byId("live-field").value = "";
    drawFields();
    byId("live-fields").lastElementChild.querySelector("input").focus();
  });
  await chooseMachine();
  document.documentElement.dataset.ready = "true";
};

const EXAMPLE_KERNEL = `#include "dataflow_api.h"

void kernel_main() {
    const uint64_t target = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(1));
    for (uint32_t page = 0; page < 16; ++page) {
        noc_async_write(get_arg_val<uint32_t>(0), target, 2048);
    }
    noc_async_write_barrier();
}
`;
const EXAMPLE_PROGRAM = `kernels:
  - file: kernel.cpp
    riscv: 0
    cores: [[0, 0]]
    runtime_args: [address source, address target, x 1 1, y 1 1]
regions:
  source: {bytes: 2048, initial: {counting: 1}}
  target: {bytes: 2048}
expect:
  - {region: target, core: [1, 1], equals: {counting: 1}}
`;

/** Bytes as text for an address, and back. */
const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
const compressed = async (value) => toBase64(await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw")));
const expanded = async (text) => JSON.parse(new TextDecoder().decode(await through(fromBase64(text), new DecompressionStream("deflate-raw"))));

pages.kernel = async () => {
  const inputs = {arch: byId("kernel-arch"), kernel: byId("kernel-source"), program: byId("kernel-program")};
  const status = byId("kernel-status");
  let given = {arch: "blackhole", kernel: EXAMPLE_KERNEL, program: EXAMPLE_PROGRAM};
  const {case: text} = address.read();
  if (text) {
    try {
      given = {...given, ...await expanded(text)};
    } catch {
      status.textContent = "The address holds no program.";
    }
  }
  for (const [name, input] of Object.entries(inputs)) input.value = String(given[name]);
  const values = () => Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value]));
  const remember = async () => address.write({case: await compressed(values())});
  byId("kernel-form").addEventListener("input", remember);
  byId("kernel-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    status.textContent = "compiling and running …";
    status.classList.remove("fails");
    await remember();
    try {
      const run = await ask("kernel", values());
      status.textContent = run.data_fault ? `wrong data: ${run.data_fault}` : `${formatCycles(run.elapsed_cycles)} cycles in all, the data are right.`;
      status.classList.toggle("fails", Boolean(run.data_fault));
      byId("kernel-result").replaceChildren(...run.warnings.map((words) => make("p", {class: "banner"}, words)), ...run.kernels.map(drawKernel));
    } catch (error) {
      status.textContent = "";
      byId("kernel-result").replaceChildren(make("pre", {class: "fails", tabindex: "0", role: "alert"}, error.message));
    }
  });
  document.documentElement.dataset.ready = "true";
};

/** Cycles of a kernel by source line, and by the cause of its waits. */
function drawKernel(kernel) {
  const most = Math.max(...kernel.lines.map(({share}) => share), 1e-9);
  const causes = Object.entries(kernel.waits).map(([cause, cycles]) => `${cause} ${formatCycles(cycles)}`).join(", ");
  const rows = kernel.lines.map(({file, line, cycles, share, text, function: name}) => {
    const bar = make("svg", {viewBox: "0 0 100 10", class: "bar", "aria-hidden": "true"}, make("rect", {class: "part s0", width: (100 * share / most).toFixed(1), height: 10}));
    return make("tr", {}, make("td", {}, file ? `${file.split("/").at(-1)}:${line}` : name), make("td", {class: "number"}, formatCycles(cycles)),
      make("td", {class: "number"}, `${(100 * share).toFixed(1)} %`), make("td", {}, bar), make("td", {}, make("code", {}, text)));
  });
  const head = make("tr", {}, ...["line", "cycles", "share", "", "source"].map((name, place) => make(name ? "th" : "td", {scope: name ? "col" : null, class: place === 1 || place === 2 ? "number" : null}, name)));
  return make("section", {}, make("h2", {}, `${kernel.name} on core (${kernel.x}, ${kernel.y})`), make("p", {}, `Cycles by cause: ${causes}.`),
    make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Cycles by line"}, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows))),
    ...(kernel.printed ? [make("h3", {}, "Printed"), make("pre", {tabindex: "0"}, kernel.printed)] : []));
}
