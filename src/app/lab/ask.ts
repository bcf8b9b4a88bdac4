// How is a question asked inside a machine? By a process there that answers with one line of JSON.
import { Fault } from '../../edge/kube/api/fault.ts'
import { type Lab, machineNamed } from './lab.ts'
import { inside } from './ownCommand.ts'
import { inNamespace, run } from './tools.ts'

/** Runs a process in the machine's namespace and returns its answer. */
export function ask(lab: Lab, machine: string, ...words: readonly string[]): unknown {
  const { namespace } = machineNamed(lab, machine)
  const told = run(inNamespace(namespace, inside(lab, ...words)))
  try {
    return JSON.parse(told)
  } catch (error) {
    throw new Fault(`${words[0]} in ${machine}: no answer`, { cause: error })
  }
}
