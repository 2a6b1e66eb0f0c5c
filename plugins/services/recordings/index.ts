/** Recordings of requests: switched on for a key or for everybody for a while, written behind the requests, deleted in time (decision 0097). */
import type { Life } from '../../../kernel/contract/kit.js'
import type { RecordingTerms } from '../../../kernel/contract/line/people.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { addressOf, headersOf, sizeOf } from './heads.js'
import type { RecordingLevel, Recordings } from './recordings.js'
import { RequestRecording } from './request-recording.js'
import { Room } from './room.js'
import {
  findRecording,
  readRecording,
  removeAllRecordings,
  storedRecordings,
  trimRecordings,
} from './rows.js'
import { SharedWindow } from './window.js'
import { RecordingWriter } from './writer.js'

export type * from './recordings.js'

const trimMs = 600_000
const megabyte = 1024 * 1024
/** Written by this process since it last looked at what all of them take. */
const trimBytes = 32 * megabyte

type RecordingsKit = Kit<'database' | 'changes' | 'secrets' | 'schedule'>

export default function create({
  services,
  settings,
  clock,
  log,
}: RecordingsKit): Recordings & Life {
  const { database, changes, secrets, schedule } = services
  const { knex } = database
  const window = new SharedWindow(knex, changes)
  const room = new Room()
  let sinceTrim = 0
  let job: ReturnType<typeof schedule.everyLeased> | undefined
  let refused = 0
  const writer = new RecordingWriter({
    ...{ database, secrets, log },
    wrote(bytes) {
      sinceTrim += bytes
      if (sinceTrim < trimBytes) return
      sinceTrim = 0
      trim().catch((err) => log.warn({ err }, 'recordings could not be trimmed'))
    },
  })

  function trim(): Promise<void> {
    const bytesMax = settings.number('megabytes') * megabyte
    return trimRecordings(knex, { days: settings.number('days'), bytesMax })
  }

  /** Of both switches the one that keeps more. */
  function levelOf(terms: readonly (RecordingTerms | undefined)[]): RecordingLevel | undefined {
    const now = clock.now()
    const on = terms.filter((one) => one !== undefined && one.until > now)
    if (on.length === 0) return undefined
    return on.some((one) => one?.level === 'bodies') ? 'bodies' : 'headers'
  }

  return {
    get everybody() {
      return window.current
    },
    begin(state, { user, token }) {
      const level = levelOf([window.current, token?.recording])
      const { sink } = state
      if (level === undefined || sink.watch === undefined) return undefined
      const headBytes = addressOf(state).length + sizeOf(headersOf(state.client))
      if (!room.enter(headBytes)) {
        refused += 1
        return undefined
      }
      const of = { level, userId: user.id, tokenId: token?.id, startedAt: state.receivedAt }
      const recording = new RequestRecording(state, of, room, headBytes, (done) => writer.add(done))
      sink.watch(recording)
      return recording
    },
    switchOn: (terms) => window.open(terms),
    switchOff: () => window.close(),
    read: (requestId) => readRecording(knex, secrets, requestId),
    find: (requestId) => findRecording(knex, requestId),
    remove: (requestId) => knex('recordings').where({ request_id: requestId }).delete(),
    removeAll: () => removeAllRecordings(knex),
    stored: () => storedRecordings(knex),
    get ownersMaySwitch() {
      return settings.boolean('owners')
    },
    counts: () => ({ written: writer.written, dropped: writer.dropped + refused }),
    flush: () => writer.flush(),
    trim,
    async start() {
      await window.read()
      job = schedule.everyLeased('recordings.trim', trimMs, trim)
    },
    async stop() {
      job?.stop()
      await writer.close()
    },
  }
}
