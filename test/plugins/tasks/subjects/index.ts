/** Every task type there is, as the conformance kit and the fuzzer try it. */
import type { TaskSubject } from '../../../conformance/index.js'
import { doubao } from './doubao.js'
import { hailuo } from './hailuo.js'
import { jimeng } from './jimeng.js'
import { kling } from './kling.js'
import { luma } from './luma.js'
import { midjourney } from './midjourney.js'
import { sora } from './sora.js'
import { suno } from './suno.js'
import { veoOnGemini, veoOnVertex } from './veo.js'
import { video } from './video.js'
import { vidu } from './vidu.js'
import { wan, wanImages } from './wan.js'

export const taskSubjects: Readonly<Record<string, TaskSubject>> = {
  ...{ doubao, hailuo, jimeng, kling, luma, midjourney, sora, suno },
  'veo on Gemini': veoOnGemini,
  'veo on Vertex AI': veoOnVertex,
  ...{ video, vidu, wan },
  'wan images': wanImages,
}
