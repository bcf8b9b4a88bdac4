// How does a scenario run in the simulator? In virtual time, on a cluster of its own.
import type { FieldError } from '../model/admission.ts'
import type { Gate } from '../model/gate.ts'
import { Cluster } from './cluster.ts'
import { idOf } from './objects.ts'
import { settings } from './runScenario.ts'
import type { ScenarioCluster } from './scenarioCluster.ts'

export function simulated(gate: Gate): ScenarioCluster {
  const cluster = new Cluster(gate, settings, { usualInterface: 'eth0' })
  return {
    hasSpeakers: true,
    apply(manifest) {
      const applied = cluster.apply(manifest)
      return applied.ok ? [] : told(idOf(manifest), applied.errors)
    },
    delete: (id) => told(id, cluster.delete(id)),
    setNodes(down, up) {
      for (const node of down) cluster.down.add(node)
      for (const node of up) cluster.down.delete(node)
      return [...down, ...up].filter((node) => !cluster.world.all('Node').has(node))
    },
    restart(programs) {
      if (programs.includes('controller')) cluster.restart()
    },
    advance: (seconds) => cluster.advance(seconds),
    settle: () => cluster.settle(),
    look: () => ({
      get: (id) => cluster.get(id),
      all: () => cluster.objects(),
      world: cluster.world,
      speakers: cluster.speakers(),
      events: cluster
        .takeEvents()
        .filter(({ kind }) => kind === 'Service')
        .map(({ key, reason }) => ({ service: key, reason })),
    }),
  }
}

const told = (id: string, errors: readonly FieldError[]): string[] => {
  const texts = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  return errors.length === 0 ? [] : [`${id}: ${texts.join('; ')}`]
}
