/** Notices as messages to a Gotify server a user names. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type { Notice, NoticeOutcome, Notifier } from '../../../kernel/contract/notifier.js'
import {
  calledAddress,
  faultOfAddress,
  noticeText,
  outcomeOf,
  outcomeOfError,
} from '../../../kernel/toolkit/notifier/index.js'

const answerBytesMax = 4096
const priorityDefault = 5

export default function create({ fetch, clock, settings }: OutgoingKit): Notifier {
  async function deliver(notice: Notice, target: JsonObject): Promise<NoticeOutcome> {
    const { title } = notice
    const priority = Number(target.gotify_priority ?? priorityDefault)
    try {
      const answer = await fetch(messageAddress(String(target.gotify_url)), {
        method: 'POST',
        // Not in the address, which ends up in logs.
        headers: {
          'content-type': 'application/json',
          'x-gotify-key': String(target.gotify_token ?? ''),
        },
        body: JSON.stringify({ title, message: noticeText(notice), priority }),
        ...{ bytesMax: answerBytesMax, cut: true },
      })
      return outcomeOf(answer, clock.now())
    } catch (error) {
      return outcomeOfError(error, 'gotify_url')
    }
  }

  const hasList = () => JSON.stringify(settings.all.privateHosts ?? []) !== '[]'
  return { deliver, faultOf: (target) => faultOf(target, hasList()) }
}

function faultOf({ gotify_url, gotify_token }: JsonObject, hasList: boolean): string | undefined {
  const address = String(gotify_url ?? '')
  if (address === '') return 'gotify_url must be set.'
  const fault = faultOfAddress(hasList ? atPublicHost(address) : address)
  if (fault !== undefined) return `gotify_url ${fault}.`
  // Unlike the token, the address is shown to its user and to admins.
  if (new URL(address).search !== '') return 'gotify_url must hold no query; the token has a field.'
  const token = String(gotify_token ?? '')
  if (token === '') return 'gotify_token must be set.'
  return /^[\x21-\x7e]+$/.test(token) ? undefined : 'gotify_token must hold no blanks.'
}

function messageAddress(base: string): URL {
  const url = calledAddress(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/message`
  return url
}

/** With a list, whether a host may be called shows when it is: on the list, or by where its name leads. */
function atPublicHost(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  url.hostname = 'example.com'
  return url.href
}
