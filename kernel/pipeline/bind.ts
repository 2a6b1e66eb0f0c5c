/**
 * Binds the order of the line to the stages that were created and to the guards that stand at them. A stage without
 * guards is called as it is, so guards cost nothing where there are none.
 */
import type { Guard, Received, Stage, StageName, Stages } from '../contract/exchange.js'
import { isFailed } from './outcome.js'
import { grow } from './record.js'

export interface StageGuards {
  readonly before: readonly Guard[]
  readonly after: readonly Guard[]
}

/** Guards by the stage they stand at. */
export type GuardMap = Readonly<Partial<Record<StageName, StageGuards>>>

export function bind(stages: Stages, guards: GuardMap): Stages {
  const bound = Object.entries(stages).map(([name, stage]) => {
    const around = guards[name as StageName]
    return [name, around === undefined ? stage : guarded(stage as Stage<Received, object>, around)]
  })
  return Object.fromEntries(bound) as Stages
}

/** Guards get the record typed as readonly; they refuse by throwing a `Refusal`. */
function guarded(stage: Stage<Received, object>, guards: StageGuards): Stage<Received, object> {
  return {
    async run(state) {
      for (const guard of guards.before) guard.check(state)
      const added = await stage.run(state)
      // A stage that failed has added nothing that could be looked at.
      if (guards.after.length === 0 || (added !== undefined && isFailed(added))) return added
      // First, so that what the stage took is not lost to the line where a guard refuses.
      const grown = grow(state, added)
      for (const guard of guards.after) guard.check(grown)
      return added
    },
  }
}
