/** The body of a request, on its way in and on its way out. */
import type { JsonObject } from './json.js'

export type Body =
  /**
   * `bytes` are the very text of `value`. `original` is what `value` was made of by changing members, so that the rest
   * goes out as it came. Neither: it was made here and is written anew.
   */
  | {
      readonly kind: 'json'
      readonly value: JsonObject
      readonly bytes?: Buffer
      readonly original?: { readonly value: JsonObject; readonly bytes: Buffer }
    }
  | { readonly kind: 'form'; readonly fields: JsonObject; readonly files: readonly FormFile[] }
  | { readonly kind: 'none' }

export interface FormFile {
  readonly field: string
  readonly filename: string
  readonly mime: string
  readonly bytes: Buffer
}
