/** Forms of responses: held to the type they describe, by the compiler. */
import joi from 'joi'
import t from 'tap'
import type { Json } from '../../../../kernel/contract/json.js'
import { responseForm, wholeNumber } from '../../../../kernel/toolkit/management/response-form.js'

interface Thing {
  readonly id: number
  readonly names: readonly string[]
  readonly quota: number | string
  readonly note?: string | null
}

interface Option {
  readonly value: Json
  readonly usual?: Json
}

const id = joi.number()
const names = joi.array().items(joi.string())
const note = joi.string().allow(null).optional()

t.test('a form has every field of its type, each of its kind', async (t) => {
  const form = responseForm<Thing>({ id, names, quota: wholeNumber, note })
  t.equal(form.validate({ id: 1, names: ['a'], quota: '9007199254740993' }).error, undefined)
  // @ts-expect-error a field is missing
  responseForm<Thing>({ id, names, quota: wholeNumber })
  // @ts-expect-error a field is of another kind
  responseForm<Thing>({ id: joi.string(), names, quota: wholeNumber, note })
  // @ts-expect-error a list is no text
  responseForm<Thing>({ id, names: joi.string(), quota: wholeNumber, note })
  // @ts-expect-error the type has no such field
  responseForm<Thing>({ id, names, quota: wholeNumber, note, more: id })
})

t.test('a field that may be any JSON takes any schema', async (t) => {
  const form = responseForm<Option>({ value: joi.any(), usual: joi.string().optional() })
  for (const value of [1, 'a', true, null, [1], { a: 1 }]) {
    t.equal(form.validate({ value }).error, undefined)
  }
  // @ts-expect-error a field is missing
  responseForm<Option>({ value: joi.any() })
})
