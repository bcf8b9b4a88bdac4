// Which field was meant by one that a schema does not have? A neighbour with almost the same name.
import { didYouMean } from '../../../core/model/meant.ts'
import { namesNear } from '../../../core/model/namesNear.ts'
import type { Schema } from './schema.ts'
import { fieldSchema, propertiesOf } from './schemaNodes.ts'

/** Comparing costs time for each letter, and whoever writes the object chooses how many. */
const longest = 64

/** `path` is that of an unknown field: all before its last name is known. */
export function fieldMeant(root: Schema, path: string): string {
  const names = path.split('.')
  const typed = names.pop() ?? ''
  const parent = names.reduce<Schema | undefined>(below, root)
  if (parent === undefined || typed.length < 2 || typed.length > longest) return ''
  return didYouMean(namesNear(typed, propertiesOf(parent).keys()))
}

function below(schema: Schema | undefined, name: string): Schema | undefined {
  const [field = '', ...indexes] = name.split('[')
  const found = schema && fieldSchema(schema, field)
  return indexes.reduce<Schema | undefined>((list) => list?.items, found)
}
