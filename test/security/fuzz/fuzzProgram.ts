// A process that gives one decoder its share of inputs, so that all cores have one, and that what ends
// a process or fills its memory is told of the decoder. Arguments: the decoder's name, and a plan as JSON;
// the answer is one line of JSON.
import process from 'node:process'
import { decoders } from './decoders.ts'
import { fuzz, type Plan } from './fuzz.ts'

const [name, plan] = process.argv.slice(2)
const decoder = decoders.find((one) => one.name === name)
if (decoder === undefined || plan === undefined) throw new Error(`no decoder ${name}`)
const { inputs, seed, mostSeconds }: Plan = JSON.parse(plan)
const bound = mostSeconds === undefined ? {} : { mostSeconds }
process.stdout.write(`${JSON.stringify(await fuzz(decoder, { inputs, seed, ...bound }))}\n`)
