/**
 * Binds the order of the line to the stages that were created and to the guards that stand at them. A stage without
 * guards is called as it is, so guards cost nothing where there are none; a guard that returns at once costs no turn.
 */
import type { Guard } from '../contract/guard.js'
import type { Log } from '../contract/kit.js'
import type { Settling } from '../contract/line/delivery.js'
import type { Received } from '../contract/line/record.js'
import type { Stage, Stages } from '../contract/line/stages.js'
import type { StageName } from '../contract/names.js'
import { isFailed } from '../toolkit/errors/outcome.js'
import { faultFields } from '../toolkit/errors/plugin-fault.js'
import { isPromise } from '../toolkit/stage/promise.js'
import { grow } from './record.js'

interface StageGuards {
  readonly before: readonly Guard[]
  readonly after: readonly Guard[]
}

/** Guards by the stage they stand at. */
export type GuardMap = Readonly<Partial<Record<StageName, StageGuards>>>

export interface BindDependencies {
  /** The stage every request must come through: guards only observe there, and nobody waits for them. */
  readonly settle: StageName
  readonly log: Log
}

export function bind(stages: Stages, guards: GuardMap, { settle, log }: BindDependencies): Stages {
  const bound = Object.entries(stages).map(([name, stage]) => {
    const around = guards[name as StageName]
    if (around === undefined) return [name, stage]
    if (name === settle) return [name, observed(stages[name as 'settle'], around, log)]
    return [name, guarded(stage as Guarded, around)]
  })
  return Object.fromEntries(bound) as Stages
}

type Guarded = Stage<Received, object | undefined>

/** Guards get the record typed as readonly; they refuse by throwing a `Refusal`, at once or later. */
function guarded(stage: Guarded, { before, after }: StageGuards): Guarded {
  const behind = (state: Received, added: object | undefined) => {
    // A stage that failed has added nothing that could be looked at.
    if (after.length === 0 || added === undefined || isFailed(added)) return added
    // First, so that what the stage took is not lost to the line where a guard refuses.
    return then(checkAll(after, grow(state, added)), () => added)
  }
  const staged = (state: Received) => then(stage.run(state), (added) => behind(state, added))
  return { run: (state) => then(checkAll(before, state), () => staged(state)) }
}

/** A hold is closed whatever a guard thinks of it, and no sooner or later for its sake. */
function observed(
  stage: Stages['settle'],
  { before, after }: StageGuards,
  log: Log,
): Stages['settle'] {
  const look = (guards: readonly Guard[], { state }: Settling) => {
    const failed = (error: unknown) => {
      const fields = { ...faultFields(error), requestId: state.requestId }
      log.error(fields, 'a guard failed where it can only observe')
    }
    for (const guard of guards) {
      try {
        const looking = guard.check(state)
        if (isPromise(looking)) looking.then(undefined, failed)
      } catch (error) {
        failed(error)
      }
    }
  }
  return {
    run(settling) {
      look(before, settling)
      return then(stage.run(settling), () => look(after, settling))
    },
  }
}

/** One after the other; undefined where none has to be waited for. */
function checkAll(guards: readonly Guard[], state: Received, from = 0): Promise<void> | undefined {
  for (let index = from; index < guards.length; index += 1) {
    const checking = guards[index]!.check(state)
    if (isPromise(checking)) {
      return Promise.resolve(checking).then(() => checkAll(guards, state, index + 1))
    }
  }
  return undefined
}

/** At once where there is nothing to wait for. */
function then<T, Next>(
  value: T | Promise<T>,
  next: (value: T) => Next | Promise<Next>,
): Next | Promise<Next> {
  return isPromise(value) ? value.then(next) : next(value)
}
