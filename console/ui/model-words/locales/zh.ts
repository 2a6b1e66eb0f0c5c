/** Texts of kinds, abilities and modalities of models, Chinese. */
export default {
  kinds: {
    chat: '对话',
    completion: '补全',
    embedding: '向量',
    rerank: '重排序',
    image: '图片',
    speech: '语音合成',
    transcription: '语音转写',
    video: '视频',
    music: '音乐',
    realtime: '实时',
    moderation: '内容审核',
    ocr: '文字识别',
  },
  abilities: {
    tools: '工具调用',
    images: '图片输入',
    structured_output: '结构化输出',
    reasoning: '推理',
    prompt_cache: '提示词缓存',
  },
  modalities: {
    text: '文本',
    image: '图片',
    audio: '音频',
    video: '视频',
    embedding: '向量',
    score: '评分',
  },
}
