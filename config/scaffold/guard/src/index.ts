/** Refuses requests that hold a word of a list, before they cost anything. */
import { type Body, type GuardAt, type GuardKit, isObject } from 'waybill/contract'
import { Refusal } from 'waybill/toolkit/errors'

export default function create({ settings, log }: GuardKit): GuardAt<'auth', 'after'> {
  const wordsOf = (list: string) =>
    list.split(',').flatMap((word) => word.trim().toLowerCase() || [])

  return {
    check({ body, user }) {
      const words = wordsOf(settings.string('words'))
      const word = words.find((one) => holds(fieldsOf(body), one))
      if (word === undefined) return
      log.info({ user: user.id, word }, 'a request was refused for a word it holds')
      throw new Refusal('invalid_field', {
        reason: 'The request holds a word that is not relayed.',
      })
    },
  }
}

function fieldsOf(body: Body): unknown {
  if (body.kind === 'json') return body.value
  return body.kind === 'form' ? body.fields : undefined
}

/** Whether a text within the value, at any depth, holds the word. */
function holds(value: unknown, word: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(word)
  if (Array.isArray(value)) return value.some((item) => holds(item, word))
  return isObject(value) && Object.values(value).some((item) => holds(item, word))
}
