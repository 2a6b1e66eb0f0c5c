/**
 * A field of a management form that a reader of its own takes apart: what the reader throws is what is wrong with the
 * field, and what it makes is the value. The OpenAPI document lists the forms the reader takes.
 */
import joi from 'joi'

/** JSON Schema of the forms a reader takes. */
interface Described {
  readonly openapi: { readonly [keyword: string]: unknown }
}

/** Names as a list, or joined in one text. */
export const listOrText: Described = {
  openapi: { type: ['array', 'string'], items: { type: 'string' } },
}

/** A JSON object, or its text; an empty text is the empty object. */
export const objectOrText: Described = { openapi: { type: ['object', 'string'] } }

/** A JSON array or object, or its text. */
export const jsonOrText: Described = { openapi: { type: ['array', 'object', 'string'] } }

export const plainText: Described = { openapi: { type: 'string' } }

/** The reader throws an `Error` whose message goes on after the field's name. Null is nothing's value. */
export function readField(reader: (value: unknown) => unknown, result: Described): joi.Schema {
  return joi
    .any()
    .custom((value: unknown, { message }) => {
      try {
        return reader(value)
      } catch (error) {
        const fault = error instanceof Error ? error.message : ''
        return message({ custom: '{{#label}} {{#fault}}' }, { fault })
      }
    })
    .meta(result)
}
