// What does a document show of a terminal? Each command of its console blocks, with its output.

export type Step = { readonly command: string; readonly output: string }

export function consoleIn(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(/^```console\n(.*?)^```/gms)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n')
        return { command: part.slice(0, end), output: part.slice(end + 1) }
      }),
  )
}
