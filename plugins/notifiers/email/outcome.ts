/** What a mail that was not taken means. Of the server's answer only its numbers are shown. */
import type { NoticeOutcome } from '../../../kernel/contract/notifier.js'

/** What went wrong on this side of the mail: it may go another time. */
const reasons: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server does not take the credentials of the gateway.',
  ENOAUTH: 'The mail server does not take the credentials of the gateway.',
  ETLS: 'The connection to the mail server could not be encrypted.',
  EENVELOPE: 'The mail server does not take mail from this sender or for this address.',
}

export function outcomeOfFault(fault: unknown): NoticeOutcome {
  const { code, status, enhanced } = smtpErrorOf(fault)
  if (code === 'channel:address_refused') {
    return { kind: 'refused', reason: 'The address of the mail server may not be called.' }
  }
  const numbers = status === 0 ? '' : ` (${[status, enhanced].join(' ').trim()})`
  const sentence = reasons[isOfTls(fault) ? 'ETLS' : code]
  // Credentials can be set right, and the mail is as good as before.
  if (status >= 500 && code !== 'EAUTH' && code !== 'ETLS') {
    return { kind: 'refused', reason: `The mail server refused the mail${numbers}.` }
  }
  if (status === 0 && (code === 'EENVELOPE' || code === 'EMESSAGE')) {
    return { kind: 'refused', reason: sentence ?? 'The mail cannot be sent.' }
  }
  if (status >= 400 && status < 500) {
    return { kind: 'later', reason: `The mail server put the mail off${numbers}.` }
  }
  return { kind: 'later', reason: sentence ?? 'The mail server could not be reached.' }
}

/** The library reports a certificate that does not hold like any broken connection; its message is read, not repeated. */
function isOfTls(fault: unknown): boolean {
  return fault instanceof Error && /certificate|altnames|SSL|TLS/i.test(fault.message)
}

interface SmtpError {
  readonly code: string
  /** 0: the server sent nothing. */
  readonly status: number
  /** As `5.1.1`. */
  readonly enhanced: string
}

function smtpErrorOf(fault: unknown): SmtpError {
  const facts = typeof fault === 'object' && fault !== null ? fault : {}
  const { code, responseCode, response, failure } = facts as Readonly<Record<string, unknown>>
  const refused = failure as { readonly code?: unknown } | undefined
  const [, enhanced = ''] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response ?? '')) ?? []
  return {
    code: String(refused?.code ?? code ?? ''),
    status: typeof responseCode === 'number' ? responseCode : 0,
    enhanced,
  }
}
