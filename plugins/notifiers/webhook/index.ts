/** Notices as signed POSTs to an address a user names. */
import { createHmac } from 'node:crypto'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type { Notice, NoticeOutcome, Notifier } from '../../../kernel/contract/notifier.js'
import {
  calledAddress,
  faultOfAddress,
  outcomeOf,
  outcomeOfError,
} from '../../../kernel/toolkit/notifier/index.js'

/** What a receiver answers is of no use beyond its status. */
const answerBytesMax = 4096

export default function create({ fetch, clock }: OutgoingKit): Notifier {
  async function deliver(notice: Notice, target: JsonObject): Promise<NoticeOutcome> {
    const secret = String(target.webhook_secret ?? '')
    const body = notice.body ?? bodyOf(notice)
    const headers = {
      ...headersFor(body, secret, clock.now()),
      // The address of a report is named by whoever has an API key, who need not know the secret.
      ...(notice.body === undefined && secret !== '' && { authorization: `Bearer ${secret}` }),
      'x-webhook-id': notice.id,
    }
    try {
      const answer = await fetch(calledAddress(String(target.webhook_url)), {
        ...{ method: 'POST', headers, body },
        ...{ bytesMax: answerBytesMax, cut: true },
      })
      return outcomeOf(answer, clock.now())
    } catch (error) {
      return outcomeOfError(error, 'webhook_url')
    }
  }

  return { deliver, faultOf }
}

function faultOf({ webhook_url, webhook_secret }: JsonObject): string | undefined {
  const address = String(webhook_url ?? '')
  if (address === '') return 'webhook_url must be set.'
  const fault = faultOfAddress(address)
  if (fault !== undefined) return `webhook_url ${fault}.`
  // It goes into a header.
  return /^[\x21-\x7e]*$/.test(String(webhook_secret ?? ''))
    ? undefined
    : 'webhook_secret must be made of letters, digits and signs without blanks.'
}

function bodyOf({ type, title, content, values, timestamp }: Notice): string {
  return JSON.stringify({ type, title, content, values, timestamp })
}

function headersFor(body: string, secret: string, now: number): Record<string, string> {
  const at = String(Math.floor(now / 1000))
  const plain = { 'content-type': 'application/json', 'x-webhook-timestamp': at }
  if (secret === '') return plain
  const signed = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
  return {
    ...plain,
    'x-webhook-signature': signed(body),
    'x-webhook-signature-256': `t=${at},v1=${signed(`${at}.${body}`)}`,
  }
}
