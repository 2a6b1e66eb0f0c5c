/** Switches of recording: everybody's requests for a while, or those of one API key (decision 0097). */
import joi from 'joi'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { exact, rowId, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { RecordingLevel } from '../../services/recordings/index.js'
import { keyState, removedCount, stateForm, storedForm } from './responses.js'

interface WindowForm {
  readonly level: RecordingLevel
  readonly minutes: number
}

interface KeyForm {
  readonly level: RecordingLevel | ''
  readonly minutes: number
}

const adminRole = 10
const rootRole = 100
const dayMinutes = 24 * 60
const level = joi.string().valid('headers', 'bodies').required()
const minutes = (most: number) => joi.number().integer().min(1).max(most)
const windowForm = joi
  .object({ level, minutes: minutes(dayMinutes).default(60) })
  .prefs({ stripUnknown: true })
  .required()
const keyForm = joi
  .object({
    level: level.allow('').description('Empty: it ends.'),
    minutes: minutes(30 * dayMinutes).default(dayMinutes),
  })
  .prefs({ stripUnknown: true })
  .required()
const keyParams = joi.object({ id: rowId.required() })

type RecordingsKit = Kit<'recordings' | 'database' | 'changes'>

export default function create({ services, clock }: RecordingsKit): Management {
  const { recordings, database, changes } = services

  function state() {
    const window = recordings.everybody
    const isOn = window !== undefined && window.until > clock.now()
    return {
      everybody: isOn ? window.level : '',
      until: isOn ? Math.ceil(window.until / 1000) : 0,
      owners_may_switch: recordings.ownersMaySwitch,
    }
  }

  async function stored() {
    const { recordings: count, bytes, oldest } = await recordings.stored()
    const oldestAt = oldest === undefined ? 0 : Math.floor(oldest.getTime() / 1000)
    return { recordings: count, bytes: exact(bytes), oldest: oldestAt, ...recordings.counts() }
  }

  async function switchOn(request: ManagementRequest<unknown, WindowForm>): Promise<Answer> {
    const { body } = request
    const { userId, username } = signedIn(request)
    const until = clock.now() + body.minutes * 60_000
    const { level } = body
    await recordings.switchOn({ level, until, startedBy: userId, startedName: username })
    return noted(state(), 'everybody', `${level} for ${body.minutes} minutes`)
  }

  async function switchOff(): Promise<Answer> {
    await recordings.switchOff()
    return noted(state(), 'everybody', 'off')
  }

  async function key(request: ManagementRequest<unknown, KeyForm>): Promise<Answer> {
    const caller = signedIn(request)
    const { level, minutes } = request.body
    const id = Number(request.params.id)
    const isAdmin = caller.role >= adminRole
    const until = level === '' ? null : new Date(clock.now() + minutes * 60_000)
    await database.knex.transaction(async (trx) => {
      const found = await trx('tokens')
        .join('users', 'users.id', 'tokens.user_id')
        .where('tokens.id', id)
        .whereNull('tokens.deleted_at')
        .first('tokens.user_id', 'users.role')
      const isOwn = found?.user_id === caller.userId
      if (found === undefined || (!isOwn && !isAdmin)) {
        throw new Refusal('gone_missing', { what: 'API key', param: 'id' })
      }
      if (!isOwn && caller.role < rootRole && found.role >= caller.role)
        throw new Refusal('forbidden')
      // Who may no longer begin may still end.
      if (!isAdmin && level !== '' && !recordings.ownersMaySwitch) {
        throw new Refusal('switched_off', { what: 'Recording of requests by owners of API keys' })
      }
      await trx('tokens')
        .where({ id })
        .update({ record_level: level || null, record_until: until })
      await changes.note(trx, 'tokens', id)
    })
    await changes.settled()
    const data = { level, until: until === null ? 0 : Math.ceil(until.getTime() / 1000) }
    return noted(data, `token ${id}`, level === '' ? 'off' : `${level} for ${minutes} minutes`)
  }

  return {
    routes: {
      state: { response: stateForm, handle: state },
      stored: { response: storedForm, handle: stored },
      removeAll: { response: removedCount, handle: () => recordings.removeAll() },
      switchOn: { body: windowForm, response: stateForm, handle: switchOn },
      switchOff: { response: stateForm, handle: switchOff },
      key: { params: keyParams, body: keyForm, response: keyState, handle: key },
    },
  }
}

function noted(data: object, object: string, detail: string): Answer {
  return { answer: true, data, audit: { object, detail } }
}
