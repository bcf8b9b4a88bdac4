// How do a few figures compare? As horizontal bars in SVG, on a background of their own.

export type Bar = { readonly label: string; readonly value: number; readonly text: string }
export type Chart = { readonly title: string; readonly note: string; readonly bars: readonly Bar[] }

const [width, margin, labels, row, head] = [720, 24, 112, 44, 68]
const [own, others] = ['#58a6ff', '#8b949e']

/** The first bar is ours, the others are what it is compared with. */
export function barsSvg({ title, note, bars }: Chart): string {
  const height = head + bars.length * row + 40
  const longest = Math.max(...bars.map(({ value }) => value))
  const room = width - 2 * margin - labels - 64
  const rows = bars.map(({ label, value, text }, index) => {
    const y = head + index * row
    const length = Math.round((room * value) / longest)
    const end = margin + labels + length + 10
    const fill = index === 0 ? own : others
    return `<text x="${margin}" y="${y + 20}" fill="#e6edf3">${label}</text>
<rect x="${margin + labels}" y="${y}" width="${length}" height="28" rx="3" fill="${fill}"/>
<text x="${end}" y="${y + 20}" fill="#e6edf3" font-weight="600">${text}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img">
<title>${title}</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="15">
<text x="${margin}" y="40" fill="#ffffff" font-size="17" font-weight="600">${title}</text>
${rows.join('\n')}
<text x="${margin}" y="${height - 18}" fill="#9da7b3" font-size="13">${note}</text>
</g>
</svg>
`
}
