# SPDX-License-Identifier: MIT
"""SVG charts of results, for report.py: plain text, readable on light and on dark pages."""

WIDTH, HEIGHT = 752, 404
LEFT, RIGHT, TOP, BOTTOM = 84, 28, 40, 60
COLOURS = {"msd": "#2f81f7", "ordo": "#2f81f7", "sample": "#e5484d", "onesweep": "#12a5b8",
           "radix": "#1f9d78", "bitonic": "#a371f7", "CUB": "#d9822b"}
OTHER_COLOUR = "#808890"


def escape(text):
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def ticks(most, about=5):
    """Round numbers from 0 to at least `most`."""
    if most <= 0:
        return [0, 1]
    step = 10.0 ** -9
    while step * about < most:
        for factor in (2, 2.5, 2):  # 1, 2, 5, 10
            if step * about < most:
                step *= factor
    count = 0
    while step * count < most * (1 - 1e-9):
        count += 1
    return [step * i for i in range(count + 1)]


def page(title, height, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
            'role="img" font-family="system-ui, sans-serif" font-size="12" fill="#76808a">')
    return "\n".join([head, f"<title>{escape(title)}</title>"] + parts + ["</svg>", ""])


def text(x, y, words, anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def line(x, y, x2, y2, faint=False):
    opacity = ' stroke-opacity="0.25"' if faint else ""
    return f'<path stroke="#808890"{opacity} d="M{x:.1f} {y:.1f}L{x2:.1f} {y2:.1f}"/>'


def legend(names):
    parts, x = [], LEFT
    for name in names:
        parts.append(f'<rect x="{x}" y="12" width="12" height="12" fill="{COLOURS.get(name, OTHER_COLOUR)}"/>')
        parts.append(text(x + 17, 22, name))
        x += 40 + 8 * len(name)
    return parts


def lines(title, series, x_name, y_name):
    """series: name to a list of points (x, y), x whole numbers. The text of an SVG."""
    xs = sorted({x for points in series.values() for x, _ in points})
    y_ticks = ticks(max(y for points in series.values() for _, y in points))
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def place(x, y):
        across = (x - xs[0]) / max(xs[-1] - xs[0], 1)
        return LEFT + across * (right - LEFT), bottom - y / y_ticks[-1] * (bottom - TOP)

    parts = legend(series)
    for y in y_ticks:
        parts += [line(LEFT, place(xs[0], y)[1], right, place(xs[0], y)[1], faint=True),
                  text(LEFT - 8, place(xs[0], y)[1] + 4, f"{y:g}", "end")]
    for x in range(xs[0], xs[-1] + 1):
        parts.append(line(place(x, 0)[0], bottom, place(x, 0)[0], bottom + 5))
        if (x - xs[0]) % 2 == 0:
            parts.append(text(place(x, 0)[0], bottom + 20, f"2^{x}", "middle"))
    parts += [line(LEFT, bottom, right, bottom), text((LEFT + right) / 2, HEIGHT - 16, x_name, "middle"),
              text(0, 0, y_name, "middle", f' transform="translate(20 {(TOP + bottom) / 2:.0f}) rotate(-90)"')]
    for name, points in series.items():
        colour, at = COLOURS.get(name, OTHER_COLOUR), [place(x, y) for x, y in sorted(points)]
        parts.append(f'<path fill="none" stroke="{colour}" stroke-width="2" d="M' +
                     "L".join(f"{x:.1f} {y:.1f}" for x, y in at) + '"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in at]
    return page(title, HEIGHT, parts)


def bars(title, groups, x_name):
    """groups: a list of (name, {series: value}), from above to below. The text of an SVG."""
    names = list(dict.fromkeys(name for _, values in groups for name in values))
    x_ticks = ticks(max(value for _, values in groups for value in values.values()))
    left, right, thick, gap = 130, WIDTH - RIGHT - 40, 11, 10
    step = thick * len(names) + gap
    bottom = TOP + step * len(groups)

    def place(value):
        return left + value / x_ticks[-1] * (right - left)

    parts = legend(names)
    for x in x_ticks:
        parts += [line(place(x), TOP, place(x), bottom, faint=True), text(place(x), bottom + 18, f"{x:g}", "middle")]
    for i, (group, values) in enumerate(groups):
        top = TOP + i * step + gap / 2
        parts.append(text(left - 8, top + thick * len(names) / 2 + 4, group, "end"))
        for j, name in enumerate(names):
            if name in values:
                y = top + j * thick
                end = place(values[name])
                parts += [f'<rect x="{left}" y="{y:.1f}" width="{end - left:.1f}" height="{thick - 1}" '
                          f'fill="{COLOURS.get(name, OTHER_COLOUR)}"/>',
                          text(end + 4, y + thick - 2, f"{values[name]:.3g}", "start", ' font-size="10"')]
    parts += [line(left, TOP, left, bottom), text((left + right) / 2, bottom + 40, x_name, "middle")]
    return page(title, bottom + 56, parts)
