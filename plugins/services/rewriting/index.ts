/** Request rewriting: reads the documents by which an operator changes what goes to an upstream. README.md describes their language. */
import { checkDocument } from './document.js'
import { readHeaders } from './header-document.js'
import { readOverride } from './override-document.js'
import type { RequestRewriting } from './rewriting.js'

export type * from './rewriting.js'

export default function create(): RequestRewriting {
  return {
    override(document) {
      checkDocument(document)
      return readOverride(document)
    },
    headers(document) {
      checkDocument(document)
      return readHeaders(document)
    },
  }
}
