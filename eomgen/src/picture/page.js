"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const rows = data.rows, places = data.places, scene = data.scene;
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const COLOURS = ["#2563eb", "#c2410c", "#0f8a5f", "#9333ea", "#b45309", "#0e7490", "#be185d", "#4d7c0f"];
const t0 = rows[0][0], t1 = rows[rows.length - 1][0];
let now = t0, playing = false, last = 0;

// Vectors.
const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = a => { const n = Math.hypot(...a) || 1; return [a[0] / n, a[1] / n, a[2] / n]; };

// The row before a time, and how far the time is on the way to the next one.
function between(t) {
  let low = 0, high = rows.length - 1;
  while (high - low > 1) { const mid = (low + high) >> 1; if (rows[mid][0] <= t) low = mid; else high = mid; }
  const span = rows[high][0] - rows[low][0];
  return [low, high, span > 0 ? Math.min(1, Math.max(0, (t - rows[low][0]) / span)) : 0];
}
function numbersAt(list, t) {
  const [a, b, s] = between(t);
  return list[a].map((x, i) => x === null || list[b][i] === null ? NaN : x + s * (list[b][i] - x));
}
// Positions of all points, and axes of all frames, at a time.
function poseAt(t) {
  const p = numbersAt(places, t), points = [[0, 0, 0]], frames = [[[1, 0, 0], [0, 1, 0], [0, 0, 1]]];
  let k = 0;
  for (let i = 1; i < scene.points.length; i++, k += 3) points.push([p[k], p[k + 1], p[k + 2]]);
  for (let i = 1; i < scene.frames.length; i++, k += 9) {
    const axes = [0, 3, 6].map(j => unit([p[k + j], p[k + j + 1], p[k + j + 2]]));
    frames.push(axes);
  }
  const axes = [];
  for (; k + 2 < p.length; k += 3) axes.push(unit([p[k], p[k + 1], p[k + 2]]));
  return { points, frames, axes };
}

// Size of the scene, and where to look from.
const drawn = scene.points.map((_, i) => i);
const box = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
const stride = Math.max(1, Math.floor(rows.length / 300));
function within(p, r = 0) { if (p.every(Number.isFinite)) for (let j = 0; j < 3; j++) { box.low[j] = Math.min(box.low[j], p[j] - r); box.high[j] = Math.max(box.high[j], p[j] + r); } }
for (let r = 0; r < rows.length; r += stride) {
  const pose = poseAt(rows[r][0]);
  for (const i of drawn) within(pose.points[i]);
  for (const b of scene.bodies) within(pose.points[b.center], b.radius || 0);
  for (const d of scene.drawings) if (d.shape !== "line") within(pose.points[d.center], Math.hypot(...d.size) / (d.shape === "box" ? 2 : 1));
}
if (!Number.isFinite(box.low[0])) { box.low = [-1, -1, -1]; box.high = [1, 1, 1]; }
const middle = [0, 1, 2].map(j => (box.low[j] + box.high[j]) / 2);
const size = Math.max(1e-9, Math.hypot(...[0, 1, 2].map(j => box.high[j] - box.low[j])) / 2);
// Without gravity, what moves in the plane of x and y is seen with y up.
const level = scene.up || (box.high[2] - box.low[2] < 1e-6 * size ? [0, 1, 0] : [0, 0, 1]);
const up = unit(level);
let side = Math.abs(up[0]) < 0.9 ? unit(cross(up, [1, 0, 0])) : unit(cross(up, [0, 1, 0]));
const front = cross(side, up);
const camera = {};
function resetCamera() {
  camera.target = middle.slice();
  camera.distance = 3.2 * size;
  camera.yaw = 0.6; camera.pitch = 0.35;
  // A machine that moves in a plane is seen from the front.
  const flat = [0, 1, 2].filter(j => box.high[j] - box.low[j] < 1e-6 * size);
  if (flat.length === 1) {
    const n = [0, 0, 0]; n[flat[0]] = flat[0] === 1 ? -1 : 1;
    if (Math.abs(dot(n, up)) < 0.1) { camera.yaw = Math.atan2(dot(n, side), dot(n, front)); camera.pitch = 0.05; } else camera.pitch = 1.2;
  }
}
resetCamera();

const view = document.getElementById("view"), pen = view.getContext("2d");
let width = 1, height = 1, eye, right, above, ahead, focal;
function fit(canvas) {
  const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) { canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio); }
  const c = canvas.getContext("2d"); c.setTransform(ratio, 0, 0, ratio, 0, 0);
  return [w, h];
}
function aim() {
  const level = add(add([0, 0, 0], front, Math.cos(camera.yaw)), side, Math.sin(camera.yaw));
  const back = unit(add(add([0, 0, 0], level, Math.cos(camera.pitch)), up, Math.sin(camera.pitch)));
  eye = add(camera.target, back, camera.distance);
  ahead = add([0, 0, 0], back, -1);
  right = unit(cross(ahead, up));
  above = cross(right, ahead);
  focal = 1.5 * Math.min(width, height * 1.25);
}
function project(p) {
  const d = add(p, eye, -1), z = dot(d, ahead);
  if (!(z > 1e-3 * camera.distance)) return null;
  return [width / 2 + focal * dot(d, right) / z, height / 2 - focal * dot(d, above) / z, z];
}

// What is drawn, farthest first.
let list = [];
function line(a, b, colour, thick, dash) {
  const p = project(a), q = project(b);
  if (p && q) list.push([(p[2] + q[2]) / 2, () => { pen.strokeStyle = colour; pen.lineWidth = thick; pen.setLineDash(dash || []); pen.beginPath(); pen.moveTo(p[0], p[1]); pen.lineTo(q[0], q[1]); pen.stroke(); pen.setLineDash([]); }]);
}
function ball(c, r, colour) {
  const p = project(c);
  if (!p) return;
  const s = Math.max(2.5, focal * r / p[2]);
  list.push([p[2] - r, () => {
    const g = pen.createRadialGradient(p[0] - s / 3, p[1] - s / 3, s / 8, p[0], p[1], s);
    g.addColorStop(0, shade(colour, 1.5)); g.addColorStop(1, shade(colour, 0.75));
    pen.fillStyle = g; pen.beginPath(); pen.arc(p[0], p[1], s, 0, 7); pen.fill();
  }]);
}
function shade(colour, f) {
  const n = parseInt(colour.slice(1), 16), c = k => Math.max(0, Math.min(255, Math.round(((n >> k) & 255) * f)));
  return `rgb(${c(16)},${c(8)},${c(0)})`;
}
function face(corners, colour, alpha) {
  const seen = corners.map(project);
  if (seen.some(p => !p)) return;
  const n = unit(cross(add(corners[1], corners[0], -1), add(corners[2], corners[0], -1)));
  const light = unit(add(add(up, right, 0.4), ahead, -0.7));
  const z = seen.reduce((s, p) => s + p[2], 0) / seen.length;
  const fill = shade(colour, 0.75 + 0.45 * Math.abs(dot(n, light)));
  list.push([z, () => { pen.globalAlpha = alpha; pen.fillStyle = fill; pen.strokeStyle = shade(colour, 0.6); pen.lineWidth = 0.6; pen.beginPath(); seen.forEach((p, i) => i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1])); pen.closePath(); pen.fill(); pen.stroke(); pen.globalAlpha = 1; }]);
}
const at = (c, axes, x, y, z) => add(add(add(c, axes[0], x), axes[1], y), axes[2], z);
function brick(c, axes, s, colour) {
  const k = (i, j, l) => at(c, axes, i * s[0] / 2, j * s[1] / 2, l * s[2] / 2);
  for (const e of [-1, 1]) {
    face([k(e, -1, -1), k(e, 1, -1), k(e, 1, 1), k(e, -1, 1)], colour, 0.8);
    face([k(-1, e, -1), k(1, e, -1), k(1, e, 1), k(-1, e, 1)], colour, 0.8);
    face([k(-1, -1, e), k(1, -1, e), k(1, 1, e), k(-1, 1, e)], colour, 0.8);
  }
}
function drum(c, axes, along, r, h, colour, spokes = true) {
  const a = axes[(along + 1) % 3], b = axes[(along + 2) % 3], n = axes[along], count = 28;
  const rim = (i, e) => { const w = 2 * Math.PI * i / count; return add(add(add(c, a, r * Math.cos(w)), b, r * Math.sin(w)), n, e * h / 2); };
  const ring = e => Array.from({ length: count }, (_, i) => rim(i, e));
  face(ring(-1), colour, 0.75); face(ring(1), colour, 0.75);
  for (let i = 0; i < count; i++) face([rim(i, -1), rim(i + 1, -1), rim(i + 1, 1), rim(i, 1)], colour, 0.75);
  // A spoke shows how it turns.
  if (spokes) for (const e of [-1, 1]) line(add(c, n, e * h / 2), rim(0, e), shade(colour, 0.45), 1.5);
}
function ground() {
  const floor = Math.min(...[0, 1, 2].map(() => 0), dot(box.low, up), dot(box.high, up)) ;
  const step = Math.pow(10, Math.floor(Math.log10(size))) * (size / Math.pow(10, Math.floor(Math.log10(size))) > 4 ? 1 : 0.5);
  const base = add(add([0, 0, 0], side, Math.round(dot(middle, side) / step) * step), front, Math.round(dot(middle, front) / step) * step);
  const origin = add(base, up, floor - 1e-3 * size), many = Math.ceil(1.6 * size / step), colour = css("--line");
  for (let i = -many; i <= many; i++) {
    line(add(add(origin, side, i * step), front, -many * step), add(add(origin, side, i * step), front, many * step), colour, 1);
    line(add(add(origin, front, i * step), side, -many * step), add(add(origin, front, i * step), side, many * step), colour, 1);
  }
}
const flags = Object.fromEntries(["names", "axes", "trails"].map(id => [id, document.getElementById(id)]));
const trail = document.getElementById("trail");
scene.points.forEach((name, i) => { if (i) trail.add(new Option(name, i)); });
{ const last = scene.bodies.length ? scene.bodies[scene.bodies.length - 1].center : scene.points.length - 1; trail.value = last; }

function draw() {
  [width, height] = fit(view);
  aim();
  pen.clearRect(0, 0, width, height);
  const pose = poseAt(now), ink = css("--ink"), soft = css("--soft");
  list = []; ground();
  list.sort((a, b) => b[0] - a[0]).forEach(d => d[1]());
  list = [];
  for (const l of scene.lines) {
    const rigid = l.frame !== null;
    line(pose.points[l.from], pose.points[l.to], rigid ? soft : css("--line"), rigid ? 3 : 1.5, rigid ? [] : [5, 4]);
  }
  for (const d of scene.drawings) {
    const colour = d.color || "#64748b";
    if (d.shape === "line") { for (let i = 1; i < d.through.length; i++) line(pose.points[d.through[i - 1]], pose.points[d.through[i]], colour, 3); continue; }
    const c = pose.points[d.center];
    if (!c.every(Number.isFinite)) continue;
    if (d.shape === "box") { brick(c, pose.frames[d.frame], d.size, colour); continue; }
    if (d.shape === "sphere") { ball(c, d.size[0], colour); continue; }
    const n = pose.axes[d.axis], a = unit(Math.abs(n[0]) < 0.9 ? cross(n, [1, 0, 0]) : cross(n, [0, 1, 0]));
    drum(c, [a, cross(n, a), n], 2, d.size[0], d.size[1], colour, false);
  }
  const small = 0.02 * size;
  scene.bodies.forEach((b, i) => {
    const c = pose.points[b.center], axes = b.frame === null ? null : pose.frames[b.frame], colour = COLOURS[i % COLOURS.length];
    if (!c.every(Number.isFinite)) return;
    if (b.shape === "box") brick(c, axes, b.size, colour);
    else if (b.shape === "cylinder") drum(c, axes, b.along, b.size[0], b.size[1], colour);
    else if (b.shape === "ball") { ball(c, b.size[0], colour); for (let k = 0; k < 3; k++) line(c, add(c, axes[k], b.size[0] * 1.02), ["#dc2626", "#16a34a", "#2563eb"][k], 2); }
    else ball(c, small * 1.3, colour);
  });
  pose.points.forEach((p, i) => { if (p.every(Number.isFinite)) ball(p, i ? small * 0.45 : small * 0.7, i ? "#64748b" : "#334155"); });
  if (flags.axes.checked) scene.frames.forEach((_, i) => {
    const owner = scene.bodies.find(b => b.frame === i), o = owner ? pose.points[owner.center] : [0, 0, 0];
    pose.frames[i].forEach((a, k) => line(o, add(o, a, 0.22 * size), ["#dc2626", "#16a34a", "#2563eb"][k], 2));
  });
  if (flags.trails.checked && trail.value) {
    const k = 3 * (Number(trail.value) - 1), [lowRow] = between(now), every = Math.max(1, Math.floor(lowRow / 1200));
    let before = null;
    for (let r = 0; r <= lowRow; r += every) {
      const p = [places[r][k], places[r][k + 1], places[r][k + 2]];
      if (before) line(before, p, css("--hot"), 1.4);
      before = p;
    }
    if (before) line(before, pose.points[trail.value], css("--hot"), 1.4);
  }
  list.sort((a, b) => b[0] - a[0]).forEach(d => d[1]());
  if (flags.names.checked) {
    pen.fillStyle = ink; pen.font = "12px system-ui, sans-serif";
    pose.points.forEach((p, i) => { const s = p.every(Number.isFinite) && project(p); if (s) pen.fillText(scene.points[i], s[0] + 6, s[1] - 6); });
  }
}

// Plots.
const canvases = [];
function plot(title, columns, logarithmic) {
  if (!columns.length) return;
  const figure = document.createElement("figure"), caption = document.createElement("figcaption"), canvas = document.createElement("canvas");
  columns.forEach((c, i) => {
    const key = document.createElement("span"), column = data.columns[c];
    key.className = "key"; key.style.setProperty("--c", COLOURS[i % COLOURS.length]);
    key.textContent = column.unit ? `${column.name} [${column.unit}]` : column.name;
    caption.append(key);
  });
  figure.append(caption, canvas); figure.setAttribute("aria-label", title);
  document.getElementById("plots").append(figure);
  const value = x => logarithmic ? Math.log10(Math.max(x, 1e-18)) : x;
  const shown = columns.map(c => rows.map(r => r[c] === null ? NaN : value(r[c])));
  const all = shown.flat().filter(Number.isFinite);
  let low = all.reduce((a, b) => Math.min(a, b), Infinity), high = all.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!(low < high)) { const d = Math.max(Math.abs(low) * 0.1, 1e-9); low -= d; high += d; }
  canvases.push({ canvas, shown, low, high, logarithmic });
  const pick = e => { const r = canvas.getBoundingClientRect(); set(t0 + (t1 - t0) * (e.clientX - r.left - 52) / (r.width - 62)); };
  canvas.addEventListener("pointerdown", e => { pick(e); canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointermove", e => { if (e.buttons) pick(e); });
}
function label(x, span) {
  const digits = Math.max(0, Math.min(8, 2 - Math.floor(Math.log10(span || 1))));
  return Math.abs(x) >= 1e5 || span < 1e-5 ? x.toExponential(1) : x.toFixed(digits);
}
function drawPlots() {
  for (const p of canvases) {
    const [w, h] = fit(p.canvas), c = p.canvas.getContext("2d"), x = t => 52 + (w - 62) * (t - t0) / (t1 - t0 || 1);
    const y = v => h - 22 - (h - 32) * (v - p.low) / (p.high - p.low);
    c.clearRect(0, 0, w, h); c.font = "11px system-ui, sans-serif"; c.lineWidth = 1;
    for (let i = 0; i <= 4; i++) {
      const v = p.low + (p.high - p.low) * i / 4, t = t0 + (t1 - t0) * i / 4;
      c.strokeStyle = css("--line"); c.beginPath(); c.moveTo(52, y(v)); c.lineTo(w - 10, y(v)); c.stroke();
      c.fillStyle = css("--soft"); c.textAlign = "right"; c.fillText(p.logarithmic ? "1e" + v.toFixed(0) : label(v, p.high - p.low), 48, y(v) + 4);
      c.textAlign = i === 4 ? "right" : "center"; c.fillText(label(t, t1 - t0) + (i === 4 ? " s" : ""), i === 4 ? w - 8 : x(t), h - 7);
    }
    p.shown.forEach((values, i) => {
      c.strokeStyle = COLOURS[i % COLOURS.length]; c.lineWidth = 1.6; c.beginPath();
      let down = false;
      values.forEach((v, r) => { if (!Number.isFinite(v)) { down = false; return; } const q = [x(rows[r][0]), y(v)]; if (down) c.lineTo(...q); else c.moveTo(...q); down = true; });
      c.stroke();
    });
    c.strokeStyle = css("--hot"); c.beginPath(); c.moveTo(x(now), 8); c.lineTo(x(now), h - 22); c.stroke();
  }
}
const of = kind => data.columns.map((c, i) => c.kind === kind ? i : -1).filter(i => i >= 0);
const chosen = data.plots.flat(), rest = kind => { const list = of(kind); return list.every(c => chosen.includes(c)) ? [] : list; };
data.plots.forEach(p => plot("chosen", p));
for (const kind of ["expression", "coordinate", "speed", "input", "output", "energy"]) plot(kind, rest(kind));
plot("residual", of("residual"), true);

// Controls.
const slider = document.getElementById("slider"), play = document.getElementById("play"), speed = document.getElementById("speed");
slider.min = t0; slider.max = t1;
function set(t) {
  now = Math.min(t1, Math.max(t0, t)); slider.value = now;
  document.getElementById("time").textContent = "t = " + now.toFixed(3) + " s";
  draw(); drawPlots();
}
slider.addEventListener("input", () => set(Number(slider.value)));
function start(on) { playing = on; play.innerHTML = on ? "&#10074;&#10074;" : "&#9654;"; last = performance.now(); if (on) { if (now >= t1) now = t0; requestAnimationFrame(tick); } }
function tick(stamp) {
  if (!playing) return;
  const next = now + (stamp - last) / 1000 * Number(speed.value); last = stamp;
  set(next);
  if (now >= t1) start(false); else requestAnimationFrame(tick);
}
play.addEventListener("click", () => start(!playing));
document.getElementById("reset").addEventListener("click", () => { resetCamera(); draw(); });
Object.values(flags).forEach(f => f.addEventListener("change", draw));
trail.addEventListener("change", draw);
const touching = new Map();
view.addEventListener("pointerdown", e => { touching.set(e.pointerId, [e.clientX, e.clientY]); view.setPointerCapture(e.pointerId); });
for (const end of ["pointerup", "pointercancel"]) view.addEventListener(end, e => touching.delete(e.pointerId));
view.addEventListener("pointermove", e => {
  const was = touching.get(e.pointerId);
  if (!was) return;
  const spread = () => { const [a, b] = [...touching.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
  const before = touching.size === 2 ? spread() : 0;
  touching.set(e.pointerId, [e.clientX, e.clientY]);
  const [dx, dy] = [e.clientX - was[0], e.clientY - was[1]];
  if (touching.size === 2) camera.distance *= before / Math.max(1, spread());
  if (touching.size === 2 || e.shiftKey || e.buttons === 2) {
    const s = camera.distance / focal / (touching.size === 2 ? 2 : 1);
    camera.target = add(add(camera.target, right, -dx * s), above, dy * s);
  } else {
    camera.yaw -= dx * 0.008; camera.pitch = Math.max(-1.5, Math.min(1.5, camera.pitch + dy * 0.008));
  }
  draw();
});
view.addEventListener("contextmenu", e => e.preventDefault());
view.addEventListener("wheel", e => { camera.distance *= Math.exp(e.deltaY * 0.001); e.preventDefault(); draw(); }, { passive: false });
window.addEventListener("keydown", e => { if (e.key === " " && e.target === document.body) { start(!playing); e.preventDefault(); } });
window.addEventListener("resize", () => set(now));
{ const from = new URLSearchParams(location.hash.slice(1)); set(Number(from.get("t") ?? t0)); if (from.get("play")) start(true); }
document.documentElement.dataset.ready = "yes";
