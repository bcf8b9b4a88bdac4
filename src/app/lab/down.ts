// How is a lab removed? Processes, namespaces and files: whatever exists of it, even after a crash.
import { findLab, removeFolder } from './labFolder.ts'
import { namespacesOf, removeNamespace } from './network.ts'
import { endAll, processesIn } from './processes.ts'

type Removed = { readonly processes: number; readonly namespaces: number }

/** Undefined if there was nothing. */
export async function removeLab(name: string): Promise<Removed | undefined> {
  const tasks = findLab(name)?.tasks ?? []
  const namespaces = namespacesOf(name)
  // Includes processes started by hand or just before a crash: all that run in its namespaces.
  const found = namespaces.flatMap(processesIn)
  const pids = new Set(tasks.map(({ pid }) => pid))
  const processes = [...tasks, ...found.filter(({ pid }) => !pids.has(pid))]
  await endAll(processes)
  for (const namespace of namespaces) removeNamespace(namespace)
  const hadFolder = removeFolder(name)
  if (!hadFolder && namespaces.length === 0) return undefined
  return { processes: processes.length, namespaces: namespaces.length }
}
