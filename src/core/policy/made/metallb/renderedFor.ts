// For which tenant was an object rendered? So that it is found when it is no longer wanted.
import type { JsonObject } from '../../../model/gate.ts'

export const renderedForLabel = 'berth.dev/rendered-for'

export const renderedFor = (tenant: string): JsonObject => ({ [renderedForLabel]: tenant })
