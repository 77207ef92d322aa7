// The page is whole without this file: it draws what the latency tables say, and puts a button beside commands.
(() => {
  const day = 86400;
  const drawn = [];

  /** The columns of a table as series: seconds since 1970, and the milliseconds of each; a day without a run is a gap. */
  function readTable(table) {
    const rows = new Map(
      [...table.tBodies[0].rows].map((row) => [
        Date.parse(`${row.querySelector('time').dateTime}T00:00:00Z`) / 1000,
        row,
      ]),
    );
    const [first, last] = [Math.min(...rows.keys()), Math.max(...rows.keys())];
    const times = Array.from({ length: (last - first) / day + 1 }, (_, i) => first + i * day);
    const names = [...table.tHead.rows[0].cells].slice(1).map((cell) => cell.textContent);
    const columns = names.map((_, i) =>
      times.map((time) => {
        const ms = rows.get(time)?.cells[i + 1].dataset.ms;
        return ms === undefined ? null : Number(ms);
      }),
    );
    return { times, names, columns };
  }

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const dayOf = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 10);
  const inMilliseconds = (ms) => `${ms >= 100 ? Math.round(ms) : Number(ms.toPrecision(3))} ms`;

  function settings(times, width, readout, key) {
    const axis = {
      stroke: colour('--dim'),
      font: '12px system-ui, sans-serif',
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    };
    const days = (_self, splits) => splits.map((second) => dayOf(second).slice(5));
    return {
      width,
      height: 120,
      legend: { show: false },
      padding: [8, 8, 0, 0],
      cursor: { sync: { key }, y: false, points: { size: 6 }, drag: { x: false, y: false } },
      hooks: {
        setCursor: [
          (plot) => {
            const { idx } = plot.cursor;
            const ms = idx == null ? null : plot.data[1][idx];
            readout.textContent = ms == null ? readout.dataset.newest : `${dayOf(times[idx])}: ${inMilliseconds(ms)}`;
          },
        ],
      },
      scales: {
        x: { time: false, range: (_, from, to) => [from - day / 2, to + day / 2] },
        y: { range: (_, _from, to) => [0, to * 1.1 || 1] },
      },
      axes: [
        {
          ...axis,
          size: 26,
          space: 60,
          incrs: [day, 2 * day, 7 * day, 14 * day, 28 * day],
          values: days,
          grid: { show: false },
        },
        {
          ...axis,
          size: 46,
          space: 24,
          values: (_, splits) => splits.map((ms) => (ms >= 1000 ? `${ms / 1000} s` : `${ms}`)),
        },
      ],
      series: [
        {},
        { stroke: colour('--link'), width: 1.5, spanGaps: false, points: { show: times.length < 40, size: 4 } },
      ],
    };
  }

  function figureOf(name, newest) {
    const figure = document.createElement('figure');
    const caption = document.createElement('figcaption');
    const title = document.createElement('code');
    title.textContent = name;
    const readout = document.createElement('span');
    readout.className = 'number';
    readout.dataset.newest = newest;
    readout.textContent = newest;
    const picture = document.createElement('div');
    picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', `Line of ${name}; the table below has its numbers`);
    caption.append(title, readout);
    figure.append(caption, picture);
    return { figure, picture, readout };
  }

  /** One small plot a step: a call of seconds does not flatten a handshake of milliseconds. */
  function drawAll(holder) {
    const table = document.getElementById(holder.dataset.plots);
    const { times, names, columns } = readTable(table);
    for (const [i, column] of columns.entries()) {
      const last = column.findLastIndex((ms) => ms !== null);
      if (last < 0) continue;
      const newest = `${dayOf(times[last])}: ${inMilliseconds(column[last])}`;
      const { figure, picture, readout } = figureOf(names[i], newest);
      holder.append(figure);
      drawn.push({
        figure,
        draw: () => {
          picture.replaceChildren();
          const plot = new uPlot(settings(times, figure.clientWidth, readout, table.id), [times, column], picture);
          return plot;
        },
      });
    }
  }

  function redraw() {
    for (const one of drawn) {
      one.plot?.destroy();
      one.plot = one.draw();
    }
  }

  function addCopyButtons() {
    if (!navigator.clipboard) return;
    for (const command of document.querySelectorAll('pre.command')) {
      const text = command.textContent;
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Copy';
      button.addEventListener('click', () => {
        navigator.clipboard.writeText(text).then(
          () => {
            button.textContent = 'Copied';
          },
          () => {
            button.textContent = 'Not allowed';
          },
        );
      });
      command.append(button);
    }
  }

  addCopyButtons();
  if (typeof uPlot === 'undefined') return;
  for (const holder of document.querySelectorAll('[data-plots]')) drawAll(holder);
  redraw();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    redraw();
  });
})();
