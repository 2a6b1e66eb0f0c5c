/** New and gone models of upstreams: looked for, and put into the channels' lists on an admin's word. */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Answer } from '../../../kernel/contract/management.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import { operatorMessage, Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { ChannelEdits } from '../../services/channels/index.js'
import { failureAnswer, unfit } from './answers.js'
import type { ChannelQueries } from './channel-queries.js'
import type { ApplyForm } from './forms.js'
import type { Row, Rows } from './rows.js'
import { type Counts, createRun, type Progress } from './run.js'
import { applied, type Difference, isLeftOut, noted, pending } from './updates.js'

export interface UpdateDependencies {
  readonly rows: Rows
  readonly edits: ChannelEdits
  readonly ask: ChannelQueries
  readonly clock: Clock
  readonly log: Log
  readonly peers: Peers
  /** As of a run. */
  readonly onProgress: (progress: Counts) => void
}

export interface FoundUpdates extends Difference {
  readonly id: number
  readonly name: string
}

export interface ChannelUpdates extends Difference {
  readonly id: number
  readonly models: readonly string[]
}

export interface AppliedUpdates {
  readonly channels: number
  readonly added: number
  readonly removed: number
  readonly refused: readonly number[]
}

export interface UpdateRoutes {
  detect(id: number): Promise<FoundUpdates | Answer>
  detectAll(): Promise<Progress>
  progress(): Promise<Progress>
  apply(form: ApplyForm): Promise<ChannelUpdates>
  applyAll(): Promise<AppliedUpdates>
  stop(): Promise<void>
}

export function updateRoutes({
  rows,
  edits,
  ask,
  clock,
  log,
  peers,
  onProgress,
}: UpdateDependencies): UpdateRoutes {
  const detecting = createRun<Row>({
    name: 'checks of all upstreams',
    clock,
    log,
    peers,
    onProgress,
  })

  async function detect(id: number): Promise<FoundUpdates | Answer> {
    const { name } = await rows.get(id)
    const reported = await ask.models(ask.channel(id))
    if ('failure' in reported) return failureAnswer(reported.failure)
    const { added, removed } = await compared(id, reported.value)
    return { id, name, added, removed }
  }

  function compared(id: number, names: readonly string[]): Promise<Difference> {
    if (names.length === 0) throw unfit('The upstream lists no models; nothing was compared.')
    const unixSeconds = Math.floor(clock.now() / 1000)
    return edits.change(id, (row) => noted(row, names, unixSeconds))
  }

  async function detectAll(): Promise<Progress> {
    const wanted = (await rows.all()).filter((row) => !isLeftOut(row))
    return detecting.start(wanted, async ({ id }) => {
      const reported = await listed(id)
      if (reported === undefined) return undefined
      if ('failure' in reported) return operatorMessage(reported.failure)
      await compared(id, reported.value)
      return undefined
    })
  }

  /** Undefined: there is no list to ask for, or nothing to ask with; neither is a failure of a run over all. */
  async function listed(id: number) {
    try {
      return await ask.models(ask.channel(id))
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid_field') return undefined
      throw error
    }
  }

  async function apply({ id, add, remove }: ApplyForm): Promise<ChannelUpdates> {
    const wanted = { added: add, removed: remove }
    const models = await edits.change(id, (row) => applied(row, wanted))
    return { id, models, added: add, removed: remove }
  }

  /** Each channel by itself: one that would be left without models keeps all of them and is named. */
  async function applyAll(): Promise<AppliedUpdates> {
    const done = { channels: 0, added: 0, removed: 0, refused: [] as number[] }
    for (const { id, ...row } of await rows.all()) {
      if (isNothing(pending({ id, ...row }))) continue
      const outcome = await appliedWhole(id)
      if (outcome === undefined) {
        done.refused.push(id)
        continue
      }
      done.channels += 1
      done.added += outcome.added.length
      done.removed += outcome.removed.length
    }
    return done
  }

  /** What is pending is read again under the lock. */
  async function appliedWhole(id: number): Promise<Difference | undefined> {
    try {
      return await edits.change(id, (row) => {
        const found = pending(row)
        return { ...applied(row, found), result: found }
      })
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }

  return {
    detect,
    detectAll,
    progress: detecting.progress,
    apply,
    applyAll,
    stop: detecting.stop,
  }
}

function isNothing({ added, removed }: Difference): boolean {
  return added.length + removed.length === 0
}
