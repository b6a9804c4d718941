"use strict";
/* The page of an explanation.  D, the data, stands in the page; see src/report/explain/html.c. */
(() => {
const D = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const el = (tag, cls, text) => {
	const e = document.createElement(tag);
	if (cls) e.className = cls;
	if (text !== undefined) e.textContent = text;
	return e;
};

/* Events of a side: [word, value] pairs; pieces of the passing side may be those of the failing one. */
function unpack(side) {
	const out = [], s = D.sides[side];
	for (const piece of s.pieces) {
		if (piece.length === 2 && side === 1 && typeof piece[0] === "number") {
			for (let i = 0; i < piece[1]; i++) out.push(sides[0].events[piece[0] + i]);
			continue;
		}
		const own = piece[0];
		for (let i = 0; i < own.length; i += 2) {
			const w = D.words[own[i]];
			out.push({ thread: w[0], site: w[1], text: w[2], addr: w[3], op: w[4], value: own[i + 1] });
		}
	}
	return out;
}
const sides = [];
for (let i = 0; i < D.sides.length; i++) {
	sides.push({ data: D.sides[i], events: [] });
	sides[i].events = unpack(i);
	sides[i].rows = new Map(D.sides[i].rows.map(r => [r[0], { roles: r[1], twin: r[2], text: r[3], place: r[4],
		thread: r[5] }]));
}
const ROLE = { GETS: 1, GIVES: 2, FAILS: 8, STUCK: 16 };
const color = t => `var(--t${t % 6})`;
const place = site => site < 0 ? "" : D.files[D.sites[site][0]].replace(/.*\//, "") + ":" + D.sites[site][1];
const words = e => e.text + (e.value === 0 ? "" : " = " + e.value);

/* ---- the panes ---- */
let selected = null, threads;
function eventNode(side, index) {
	const row = sides[side].rows.get(index), e = sides[side].events[index];
	const thread = row ? row.thread : e.thread, n = el("div", "ev");
	n.style.borderColor = color(thread);
	n.style.gridColumn = threads.indexOf(thread) + 1 + " / span " + Math.max(1, threads.length - threads.indexOf(thread));
	n.append(el("span", "at", "T" + thread + " " + (row ? row.place : place(e.site)) + " "),
		el("span", "what", row ? row.text : words(e)));
	if (row && row.roles & ROLE.GETS) n.classList.add("gets");
	if (row && row.roles & ROLE.GIVES) n.classList.add("gives");
	if (row && row.roles & (ROLE.FAILS | ROLE.STUCK)) n.classList.add("fail");
	n.dataset.side = side;
	n.dataset.index = index;
	n.tabIndex = 0;
	n.onclick = () => choose(side, index, true);
	n.onkeydown = k => { if (k.key === "Enter") choose(side, index, true); };
	const line = el("div", "row");
	line.style.gridTemplateColumns = `repeat(${threads.length}, minmax(0, 1fr))`;
	line.append(n);
	return line;
}
const MOST = 400;
function foldNode(side, from, to) {
	const b = el("button", "fold", `\u2026 ${to - from} more`);
	b.dataset.side = side; b.dataset.from = from; b.dataset.to = to;
	b.onclick = () => open(b);
	return b;
}
function open(b) {
	const side = +b.dataset.side, from = +b.dataset.from, to = +b.dataset.to, part = document.createDocumentFragment();
	const end = Math.min(to, from + MOST);
	for (let i = from; i < end; i++) part.append(eventNode(side, i));
	if (end < to) part.append(foldNode(side, end, to));
	b.replaceWith(part);
	wires();
}
function makePane(side) {
	const s = sides[side], pane = el("section", "pane " + (side ? "passes" : "fails"));
	pane.append(el("h2", "", side ? "PASSES" : "FAILS"));
	const lanes = el("div", "lanes");
	lanes.style.gridTemplateColumns = `repeat(${threads.length}, minmax(0, 1fr))`;
	for (const t of threads) {
		const l = el("div", "lane", D.threads[t] || "T" + t);
		l.style.borderColor = l.style.color = color(t);
		lanes.append(l);
	}
	pane.append(lanes);
	let next = 0;
	for (const index of [...s.rows.keys()].sort((a, b) => a - b)) {
		const at = Math.min(index, s.events.length);
		if (at > next) pane.append(foldNode(side, next, at));
		pane.append(eventNode(side, index));
		next = Math.max(next, at + (index < s.events.length ? 1 : 0));
	}
	if (next < s.events.length) pane.append(foldNode(side, next, s.events.length));
	if (s.data.end) pane.append(el("div", "end", s.data.end));
	return pane;
}

/* ---- finding things ---- */
const nodeOf = (side, index) => document.querySelector(`.ev[data-side="${side}"][data-index="${index}"]`);
function reveal(side, index) {
	for (let i = 0; i < 1000 && !nodeOf(side, index); i++) {
		const b = [...document.querySelectorAll(`.fold[data-side="${side}"]`)]
			.find(f => +f.dataset.from <= index && index < +f.dataset.to);
		if (!b) return null;
		if (index >= +b.dataset.from + MOST) {
			const from = +b.dataset.from, middle = Math.max(from, index - 20);
			b.replaceWith(foldNode(side, from, middle), foldNode(side, middle, +b.dataset.to));
		} else open(b);
	}
	return nodeOf(side, index);
}
function twinOf(side, index) {
	const row = sides[side].rows.get(index);
	return row && row.twin >= 0 ? row.twin : -1;
}
/* The write that a read sees. */
function writeOf(side, index) {
	for (const f of D.flows) if (f.to[side] === index) return f.from[side];
	const list = sides[side].events, e = list[index];
	if (!e || e.addr < 0 || !(e.op & 1)) return -1;
	for (let i = index - 1; i >= 0; i--) if (list[i].addr === e.addr && list[i].op & 2) return i;
	return -1;
}
function choose(side, index, follow) {
	document.querySelectorAll(".sel").forEach(n => n.classList.remove("sel"));
	const node = reveal(side, index);
	if (!node) return;
	node.classList.add("sel");
	selected = { side, index };
	showCode(side, index);
	const twin = twinOf(side, index);
	const pairs = [[side, index]];
	if (twin >= 0 && sides.length > 1) pairs.push([1 - side, twin]);
	for (const [s, i] of pairs) {
		const n = reveal(s, i);
		if (n) n.classList.add("sel");
		const w = follow ? writeOf(s, i) : -1, wn = w >= 0 ? reveal(s, w) : null;
		if (wn) wn.classList.add("sel");
	}
	node.scrollIntoView({ block: "center" });
	wires();
}
function showCode(side, index) {
	const row = sides[side].rows.get(index), e = sides[side].events[index];
	const at = row && row.site !== undefined ? row.site : e ? e.site : -1, box = $("code");
	const site = at >= 0 ? D.sites[at] : sideSite(row);
	box.textContent = "";
	if (!site) return;
	const file = D.files[site[0]], text = D.sources[site[0]] || {};
	box.append(el("h3", "", file + ":" + site[1]));
	const pre = el("pre");
	let any = false;
	for (let l = site[1] - 4; l <= site[1] + 4; l++) {
		if (text[l] === undefined) continue;
		any = true;
		pre.append(el("span", l === site[1] ? "here" : "", String(l).padStart(5) + "  " + text[l] + "\n"));
	}
	if (!any) pre.append("the source of this line is not there");
	box.append(pre);
}
function sideSite(row) {
	if (!row) return null;
	const m = /^(.*):(\d+)$/.exec(row.place);
	const f = m ? D.files.findIndex(x => x === m[1] || x.endsWith("/" + m[1])) : -1;
	return f >= 0 ? [f, +m[2]] : null;
}

/* ---- differences ---- */
const differences = [];
D.flows.forEach(f => { if (f.root) differences.push(f.to[0] >= 0 ? [0, f.to[0]] : [1, f.to[1]]); });
sides[0].rows.forEach((r, i) => { if (r.roles & (ROLE.FAILS | ROLE.STUCK)) differences.push([0, i]); });
let current = -1;
function step(by) {
	if (!differences.length) return;
	current = (current + by + differences.length) % differences.length;
	choose(...differences[current], true);
	$("where").textContent = `difference ${current + 1} of ${differences.length}`;
}

/* ---- search ---- */
function search(text) {
	document.querySelectorAll(".hit").forEach(n => n.classList.remove("hit"));
	const want = text.toLowerCase();
	let n = 0, first = null;
	if (!want) { $("found").textContent = ""; return; }
	sides.forEach((s, side) => {
		for (let i = 0; i < s.events.length && n < 2000; i++) {
			const row = s.rows.get(i), e = s.events[i];
			const t = row ? row.text + " " + row.place : words(e) + " " + place(e.site);
			if (!t.toLowerCase().includes(want)) continue;
			if (n++ < 50) {
				const node = reveal(side, i);
				if (node) { node.classList.add("hit"); first = first || node; }
			}
		}
	});
	$("found").textContent = n + " found";
	if (first) first.scrollIntoView({ block: "center" });
	wires();
}

/* ---- lines between ---- */
function wires() {
	const svg = $("wires"), box = $("panes").getBoundingClientRect();
	svg.textContent = "";
	const line = (a, b, c, dash) => {
		const x = a.getBoundingClientRect(), y = b.getBoundingClientRect();
		const p = document.createElementNS("http://www.w3.org/2000/svg", "path");
		const cross = a.closest(".pane") !== b.closest(".pane");
		const x1 = (cross ? x.right : x.left) - box.left, y1 = (x.top + x.bottom) / 2 - box.top;
		const x2 = (cross ? y.left : y.left) - box.left, y2 = (y.top + y.bottom) / 2 - box.top;
		const bend = cross ? (x2 - x1) / 2 : -14;
		p.setAttribute("d", `M${x1},${y1} C${x1 + bend},${y1} ${x2 + (cross ? -bend : bend)},${y2} ${x2},${y2}`);
		p.setAttribute("fill", "none");
		p.setAttribute("stroke", c);
		p.setAttribute("stroke-width", "1.5");
		if (dash) p.setAttribute("stroke-dasharray", "4 3");
		svg.append(p);
	};
	for (const f of D.flows) {
		if (!f.root) continue;
		for (let s = 0; s < sides.length; s++) {
			const a = f.from[s] >= 0 && nodeOf(s, f.from[s]), b = f.to[s] >= 0 && nodeOf(s, f.to[s]);
			if (a && b) line(a, b, s ? "var(--good)" : "var(--bad)", f.same);
		}
		if (sides.length < 2) continue;
		const a = f.to[0] >= 0 && nodeOf(0, f.to[0]), b = f.to[1] >= 0 && nodeOf(1, f.to[1]);
		if (a && b) line(a, b, "var(--dim)", true);
	}
}

/* ---- the rest of the page ---- */
function fill() {
	document.title = D.title;
	$("title").textContent = D.title;
	for (const s of D.story) $("story").append(el("p", "", s));
	for (const a of D.advice) $("story").append(el("p", "advice", a));
	if (D.proof) $("story").append(el("p", "proof", D.proof));
	if (D.figures) $("story").append(el("p", "proof", D.figures));
	for (const c of D.commands) {
		const d = el("div", "cmd"), b = el("button", "copy", "copy");
		b.onclick = () => {
			const done = () => { b.textContent = "copied"; setTimeout(() => { b.textContent = "copy"; }, 1500); };
			if (navigator.clipboard) navigator.clipboard.writeText(c).then(done, () => {});
		};
		d.append(b, el("code", "", c));
		$("commands").append(d);
	}
}
threads = [...new Set(sides.flatMap(s => [...s.rows.values()].map(r => r.thread)))].sort((a, b) => a - b);
for (const s of sides) for (const e of s.events) if (!threads.includes(e.thread) && threads.length < 8) threads.push(e.thread);
threads.sort((a, b) => a - b);
fill();
sides.forEach((s, i) => $("panes").append(makePane(i)));
if (sides.length < 2) $("panes").classList.add("one");
$("next").onclick = () => step(1);
$("prev").onclick = () => step(-1);
$("search").oninput = e => search(e.target.value);
document.addEventListener("keydown", e => {
	if (e.target.tagName === "INPUT") { if (e.key === "Escape") e.target.blur(); return; }
	if (e.ctrlKey || e.metaKey || e.altKey) return;
	if (e.key === "n") step(1);
	if (e.key === "p") step(-1);
	if (e.key === "/") { e.preventDefault(); $("search").focus(); }
});
addEventListener("resize", wires);
addEventListener("load", wires);
wires();
})();
