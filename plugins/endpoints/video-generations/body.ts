/** What the family's form has in words of its own, in the words of the operation `video`. */
import { changed, type JsonBody } from '../../../kernel/toolkit/body/index.js'
import { checkFields, integerFrom, invalidField } from '../../../kernel/toolkit/operation/index.js'

const side = integerFrom(16, 16_384)

/** Throws a `Refusal` that names the field which says what no task can be. */
export function videoBody(body: JsonBody): JsonBody {
  const { width = null, height = null, response_format: form = null, ...fields } = body.value
  if (form !== null && form !== '' && form !== 'url') {
    throw invalidField('response_format', 'must be "url": tasks return addresses')
  }
  checkFields({ width, height }, { width: side, height: side })
  if ((width === null) !== (height === null)) {
    throw invalidField(width === null ? 'width' : 'height', 'must be there where the other side is')
  }
  const isSized = fields.size !== undefined && fields.size !== null && fields.size !== ''
  if (width === null || isSized) {
    const sameNames = Object.keys(fields).length === Object.keys(body.value).length
    return sameNames ? body : changed(body, fields)
  }
  return changed(body, { ...fields, size: `${width}x${height}` })
}
