/** The models behind the route with `/v1/models` as its incoming path: a list in OpenAI's form, in one page. */
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { readNames } from '../../kernel/toolkit/provider/index.js'
import { questionBy } from './question.js'

export const models: UpstreamQuery<readonly string[]> = {
  request: questionBy('/v1/models'),
  read: (answer) =>
    readNames(answer, (status, headers, head) => upstreamFailure({ status, headers, head })),
}
