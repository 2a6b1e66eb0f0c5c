/** The mode return_error: the document answers in the upstream's place, and nothing is relayed. */
import type { Failure } from '../../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { Members } from './members.js'
import type { Act } from './run.js'

const known: ReadonlySet<string> = new Set(['message', 'status_code', 'code', 'type', 'skip_retry'])
const messageCharactersMax = 1024
const word = /^[\w:.-]{1,64}$/

export function returning(members: Members): Act {
  const failure = readFailure(members)
  const outcome = { failure, retry: failure.blame !== 'client' }
  return () => outcome
}

function readFailure(owner: Members): Failure {
  const value = owner.value()
  const options: JsonObject = isObject(value) ? value : { message: value }
  const members = new Members(options, `${owner.place} whose value is an error`)
  members.refuseOthers(known)
  const message = members.text('message')
  if (message === undefined || message.length > messageCharactersMax) {
    throw owner.fault(`without a message of at most ${messageCharactersMax} characters`)
  }
  const status = readStatus(options.status_code, owner)
  const final = options.skip_retry === undefined || members.flag('skip_retry')
  return {
    blame: final ? 'client' : 'channel',
    status,
    code: 'invalid_request',
    message,
    type: readWord(members, 'type', 'invalid_request_error'),
    clientStatus: status,
    clientCode: readWord(members, 'code', 'invalid_request'),
  }
}

function readStatus(value: Json | undefined, owner: Members): number {
  const status = value ?? 400
  if (typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599) {
    return status
  }
  throw owner.fault('whose value.status_code is no whole number from 400 to 599')
}

function readWord(members: Members, name: string, absent: string): string {
  const text = members.text(name) ?? absent
  if (!word.test(text)) {
    throw members.fault(`whose ${name} is not one word of letters, digits and _ : . -`)
  }
  return text
}
