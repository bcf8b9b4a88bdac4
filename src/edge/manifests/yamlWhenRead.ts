// How does a program read YAML that mostly has none to read? The parser is loaded with the first
// text: in a Pod there is no kubeconfig, and the parser would take 1.5 MB for months.

/** The first document; a Fault if the text is no YAML. */
export async function yamlWhenRead(text: string): Promise<unknown> {
  const { yamlOrFault } = await import('./parseYaml.ts')
  return yamlOrFault(text)
}
