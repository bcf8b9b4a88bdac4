// How does a user work on a machine of the lab? With a command there, with terminal and kubeconfig.
import { spawn } from 'node:child_process'
import { Fault } from '../../edge/kube/api/fault.ts'
import type { Exit } from '../cli/io.ts'
import { type Lab, machineNamed } from './lab.ts'
import { kubeconfigOf } from './labPaths.ts'
import { inNamespace } from './tools.ts'

export function execIn(lab: Lab, machine: string, command: readonly string[]): Promise<Exit> {
  const { namespace } = machineNamed(lab, machine)
  const told = [`KUBECONFIG=${kubeconfigOf(lab)}`, ...command]
  const [program = '', ...args] = inNamespace(namespace, told)
  const child = spawn(program, args, { stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Fault(`${program}: ${error.message}`)))
    child.on('close', (status) => resolve(status === 0 || status === 2 ? status : 1))
  })
}
