/** Sizes as the words makers sell them by. */
import t from 'tap'
import { frameOf } from '../../../../kernel/toolkit/task/index.js'

t.test(
  'the resolution of a size is its shorter side, and of a square what has its area',
  async (t) => {
    const resolutions = {
      '1280x720': '720p',
      '720*1280': '720p',
      '1920×1080': '1080p',
      '832x480': '480p',
      '640x480': '480p',
      '1440*1440': '1080p',
      '960x960': '720p',
      '624x624': '480p',
      '1632x1248': '1080p',
      '2560x1440': '1440p',
      '1792x1024': '1080p',
    }
    for (const [size, resolution] of Object.entries(resolutions)) {
      t.equal(frameOf(size)?.resolution, resolution, size)
    }
    t.equal(frameOf('1440*1440')?.aspect, '1:1')
    t.equal(frameOf('large'), undefined)
  },
)
