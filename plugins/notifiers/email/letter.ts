/** A notice as a mail: plain text, and the same as simple HTML. Nothing in it can add a header or an address. */
import type { Settings } from '../../../kernel/contract/kit.js'
import type { Notice } from '../../../kernel/contract/notifier.js'
import { noticeText } from '../../../kernel/toolkit/notifier/index.js'

const addressShape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i

const subjectCharactersMax = 200

export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** One address without a name, comments or quotes. */
export function isAddress(text: string): boolean {
  return text.length <= 254 && addressShape.test(text)
}

/** Who mails come from: `SMTPFrom`, as an address or `Name <address>`, else the account. Undefined: neither is one. */
export function senderOf(settings: Settings): Mailbox | undefined {
  const reported = settings.string('from').trim() || settings.string('account').trim()
  const [, name = '', address = reported] = /^([^<>]*)<([^<>]+)>$/.exec(reported) ?? []
  return isAddress(address) ? { name: oneLine(name).replaceAll('"', ''), address } : undefined
}

export function letterOf(notice: Notice, from: Mailbox, to: string) {
  const text = noticeText(notice)
  return {
    from: { ...from },
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject: [...oneLine(notice.title)].slice(0, subjectCharactersMax).join(''),
    text,
    html: htmlOf(text),
    date: new Date(notice.timestamp * 1000),
    // Answers by machines to machines help nobody.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Paragraphs and line breaks as they were written, addresses as links. */
function htmlOf(text: string): string {
  const paragraphs = text.trim().split(/\n\s*\n/)
  const body = paragraphs.map((one) => `<p>${linked(escaped(one)).replaceAll('\n', '<br>\n')}</p>`)
  return `<!doctype html>\n<html><body>\n${body.join('\n')}\n</body></html>\n`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function linked(html: string): string {
  return html.replace(
    /https?:\/\/(?:&#38;|[\w./~:?=%@!$*+,;-])+/g,
    (url) => `<a href="${url}">${url}</a>`,
  )
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
