/** Notices as pushes to an iPhone by Bark: one GET, whose address is made of a template a user sets. */
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
/** Longer addresses are refused by many servers. */
const contentCharactersMax = 1000

export default function create({ fetch, clock, settings }: OutgoingKit): Notifier {
  async function deliver(notice: Notice, target: JsonObject): Promise<NoticeOutcome> {
    try {
      const address = filled(String(target.bark_url), notice)
      const answer = await fetch(address, { bytesMax: answerBytesMax, cut: true })
      return outcomeOf(answer, clock.now())
    } catch (error) {
      return outcomeOfError(error, 'bark_url')
    }
  }

  const hasList = () => JSON.stringify(settings.all.privateHosts ?? []) !== '[]'
  return { deliver, faultOf: (target) => faultOf(target, hasList()) }
}

function faultOf({ bark_url }: JsonObject, hasList: boolean): string | undefined {
  const template = String(bark_url ?? '')
  if (template === '') return 'bark_url must be set.'
  if (/^[^/]*\/\/[^/?#]*\{\{/.test(template)) return 'bark_url must name its host without a hole.'
  const address = filled(template, { title: 'x', content: 'x', values: [] })
  const fault = faultOfAddress(hasList ? atPublicHost(address) : address)
  return fault === undefined ? undefined : `bark_url ${fault}.`
}

/** What fills a hole stays within its part of the address, whatever it holds. */
function filled(template: string, notice: Pick<Notice, 'title' | 'content' | 'values'>): string {
  const holed = /\{\{(title|content)\}\}/.test(template)
    ? template
    : template.replace(/(?<!\/)\/*(?=[?#]|$)/, '/{{title}}/{{content}}')
  const holes = {
    title: encoded(notice.title),
    content: encoded([...noticeText(notice)].slice(0, contentCharactersMax).join('')),
  }
  const address = holed.replace(
    /\{\{(title|content)\}\}/g,
    (_, name: 'title' | 'content') => holes[name],
  )
  return URL.canParse(address) ? calledAddress(address).href : address
}

/** An empty part, or one made of dots alone, would move within the path. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/^\.*$/, '%20')
}

/** With a list, whether a host may be called shows when it is: on the list, or by where its name leads. */
function atPublicHost(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  url.hostname = 'example.com'
  return url.href
}
