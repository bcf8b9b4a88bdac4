// How does a command's output look on a terminal? As SVG text, one tspan a line, for the README.

const colours: Readonly<Record<string, string>> = {
  '+': '#7ee787',
  '-': '#ff7b72',
  '~': '#f2cc60',
  '!': '#d2a8ff',
}
const [lineHeight, charWidth, margin, bar] = [18, 7.85, 16, 30]

export function terminalSvg(command: string, output: string): string {
  const lines = [`$ ${command}`, ...output.trimEnd().split('\n')]
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * charWidth) + 2 * margin
  const height = lines.length * lineHeight + bar + 2 * margin
  const rows = lines.map((line, index) => {
    const y = bar + margin + (index + 1) * lineHeight - 5
    const fill = line.startsWith('$ ') ? '#ffffff' : (colours[line[2] ?? ''] ?? '#c9d1d9')
    return `<text x="${margin}" y="${y}" fill="${fill}" xml:space="preserve">${escaped(line)}</text>`
  })
  const lights = ['#ff5f56', '#ffbd2e', '#27c93f'].map(
    (fill, index) => `<circle cx="${18 + 18 * index}" cy="15" r="5" fill="${fill}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img">
<title>${escaped(command)}</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${lights.join('')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">
${rows.join('\n')}
</g>
</svg>
`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
