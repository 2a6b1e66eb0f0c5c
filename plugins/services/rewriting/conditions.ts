/** Conditions of an operation: what must hold in the body or around the call before it is done. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Path } from '../../../kernel/toolkit/json/index.js'
import { Members } from './members.js'

/** Finds what a condition looks at; none: the key is missing. */
type Find = (path: Path) => readonly Json[]
export type Holds = (find: Find) => boolean

const conditionsMax = 50
const known: ReadonlySet<string> = new Set(['path', 'mode', 'value', 'invert', 'pass_missing_key'])

/** Undefined: there are none. Throws an `Error` whose message goes on after the field's name. */
export function readConditions(
  { conditions, logic }: JsonObject,
  owner: Members,
): Holds | undefined {
  const list = conditions ?? []
  if (!Array.isArray(list)) throw owner.fault('whose conditions are no list')
  if (list.length > conditionsMax) throw owner.fault(`with more than ${conditionsMax} conditions`)
  const all = readLogic(logic, owner) === 'AND'
  if (list.length === 0) return undefined
  const holds = list.map((value, at) => readCondition(value, at, owner))
  return all ? (find) => holds.every((one) => one(find)) : (find) => holds.some((one) => one(find))
}

function readLogic(logic: Json | undefined, owner: Members): 'AND' | 'OR' {
  const word = typeof logic === 'string' ? logic.toUpperCase() : (logic ?? '')
  if (word === '' || word === 'OR') return 'OR'
  if (word === 'AND') return word
  throw owner.fault('whose logic is neither AND nor OR')
}

function readCondition(value: Json, at: number, owner: Members): Holds {
  if (!isObject(value)) throw owner.fault(`whose condition ${at + 1} is no object`)
  const members = new Members(value, `${owner.place} and in it a condition ${at + 1}`)
  members.refuseOthers(known)
  const path = members.path()
  const test = readTest(members)
  const invert = members.flag('invert')
  const passMissing = members.flag('pass_missing_key')
  return (find) => {
    const values = find(path)
    return values.length === 0 ? passMissing : values.some(test) !== invert
  }
}

type Test = (value: Json) => boolean

function readTest(members: Members): Test {
  const mode = members.text('mode') ?? 'full'
  const make = Object.hasOwn(tests, mode) ? tests[mode] : undefined
  if (make === undefined) {
    throw members.fault(`with the mode "${mode.slice(0, 100)}", which does not exist`)
  }
  return make(members)
}

const tests: Readonly<Record<string, (members: Members) => Test>> = {
  full(members) {
    const wanted = members.value()
    return (value) => isDeepStrictEqual(value, wanted)
  },
  prefix: ofText((text, wanted) => text.startsWith(wanted)),
  suffix: ofText((text, wanted) => text.endsWith(wanted)),
  contains(members) {
    const wanted = members.value()
    return (value) => {
      if (Array.isArray(value)) return value.some((item) => isDeepStrictEqual(item, wanted))
      return typeof value === 'string' && typeof wanted === 'string' && value.includes(wanted)
    }
  },
  gt: ofNumber((value, wanted) => value > wanted),
  gte: ofNumber((value, wanted) => value >= wanted),
  lt: ofNumber((value, wanted) => value < wanted),
  lte: ofNumber((value, wanted) => value <= wanted),
}

function ofText(holds: (text: string, wanted: string) => boolean) {
  return (members: Members): Test => {
    const wanted = members.textValue()
    return (value) => typeof value === 'string' && holds(value, wanted)
  }
}

function ofNumber(holds: (value: number, wanted: number) => boolean) {
  return (members: Members): Test => {
    const wanted = numberOf(members.value())
    if (wanted === undefined) throw members.fault('whose value is no number')
    return (value) => {
      const number = numberOf(value)
      return number !== undefined && holds(number, wanted)
    }
  }
}

/** Headers and form fields are texts, so a text that is a number counts as one. */
function numberOf(value: Json): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}
