/**
 * The override document of a channel: members that replace those of the body, then operations, one after the other, each
 * on what the one before it left.
 */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { change } from '../../../kernel/toolkit/json/index.js'
import { readConditions } from './conditions.js'
import { headerModes } from './header-modes.js'
import { Members } from './members.js'
import { pruning } from './prune.js'
import { returning } from './return-error.js'
import type { Override, OverrideContext, Overriding } from './rewriting.js'
import { type Act, Run } from './run.js'
import { syncing } from './sync.js'
import { textModes } from './text-modes.js'
import { valueModes } from './value-modes.js'

const operationsMax = 200

/** Members whose change an operator wants to find in the log. */
const watched = [
  'model',
  'messages',
  'input',
  'system',
  'instructions',
  'contents',
  'systemInstruction',
  'system_instruction',
  'service_tier',
  'speed',
  'inference_geo',
] as const

interface Step {
  /** How the log names it. */
  readonly label: string
  readonly act: Act
}

const modes: Readonly<Record<string, (members: Members) => Act>> = {
  ...valueModes,
  ...textModes,
  ...headerModes,
  prune_objects: pruning,
  return_error: returning,
  sync_fields: syncing,
}

/** Throws an `Error` whose message goes on after the field's name. */
export function readOverride(document: JsonObject): Override {
  const { operations, ...members } = document
  const steps = [...Object.entries(members).map(replacement), ...readOperations(operations)]
  return { empty: steps.length === 0, apply: (wire, context) => applied(steps, wire, context) }
}

function applied(steps: readonly Step[], wire: JsonObject, context: OverrideContext): Overriding {
  const run = new Run(wire, context)
  const audit: string[] = []
  for (const { label, act } of steps) {
    const before = run.wire
    const outcome = act(run)
    if (outcome !== undefined) return outcome
    if (run.wire !== before && isTouched(before, run.wire)) audit.push(label)
  }
  return { wire: run.wire, headers: run.headers, audit: [...audit, ...run.notes] }
}

function isTouched(before: JsonObject, after: JsonObject): boolean {
  return watched.some((name) => before[name] !== after[name])
}

/** A member of the body as the document has it. Equal to what is there, it changes nothing. */
function replacement([key, value]: readonly [string, Json | undefined]): Step {
  const path = [{ key, every: false }]
  const edit = (before: Json | undefined) => (isDeepStrictEqual(before, value) ? before : value)
  return {
    label: `set ${key}`,
    act(run) {
      run.wire = change(run.wire, path, edit, 'make')
      return undefined
    },
  }
}

function readOperations(operations: Json | undefined): readonly Step[] {
  if (operations === undefined) return []
  if (!Array.isArray(operations)) throw new Error('has operations that are no list')
  if (operations.length > operationsMax) {
    throw new Error(`has more than ${operationsMax} operations`)
  }
  return operations.map((value, at) => readOperation(value, `an operation ${at + 1}`))
}

function readOperation(value: Json, place: string): Step {
  if (!isObject(value)) throw new Error(`has ${place} that is no object`)
  const members = new Members(value, place)
  const mode = members.neededText('mode')
  const make = Object.hasOwn(modes, mode) ? modes[mode] : undefined
  if (make === undefined) {
    throw members.fault(`with the mode "${mode.slice(0, 100)}", which does not exist`)
  }
  members.refuseOthers()
  const act = make(members)
  const holds = readConditions(value, members)
  return {
    label: labelOf(mode, members),
    act:
      holds === undefined
        ? act
        : (run) => (holds((path) => run.found(path)) ? act(run) : undefined),
  }
}

function labelOf(mode: string, members: Members): string {
  const [path, from, to] = ['path', 'from', 'to'].map((name) => members.text(name))
  if (transfers.has(mode)) return `${mode} ${from} to ${to}`
  return path === undefined ? mode : `${mode} ${path}`
}

const transfers: ReadonlySet<string> = new Set(['move', 'copy', 'sync_fields'])
