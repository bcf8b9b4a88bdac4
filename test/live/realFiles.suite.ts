// Do lint, plan and explain say the same of real files, of a Kubernetes that holds what they say, with
// the rights and webhooks that we ship, and of its export?
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject, test } from 'vitest'
import { kubeconfigFor } from '../kube/harness.ts'
import { answersTheSame, isHere, paths, whyNot } from '../real/answersTheSame.ts'
import { startTarget } from './kubernetesTargets.ts'

const engine = inject('kubernetes')
const canRun = isHere && engine !== undefined

test.skipIf(!canRun).each(paths)(`%s${whyNot}`, { timeout: 300_000 }, async (path) => {
  const target = await startTarget(engine ?? '', false)
  const { api, kube, controllerQuiet: settled, close } = target
  try {
    await target.inMode('native')
    const kubeconfig = join(kube.folder, 'admin.kubeconfig')
    writeFileSync(kubeconfig, kubeconfigFor(kube, 'admin'))
    await answersTheSame(path, { api, kubeconfig, settled })
  } finally {
    await close()
  }
})
