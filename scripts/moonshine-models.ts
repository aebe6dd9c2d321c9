import {
  type Constant,
  decodeConstant,
  decodeGraphAttribute,
  decodeModel,
  encodeConstant,
  encodeModel,
  type Graph,
  makeNode,
  modelOf,
  type Node,
  nameOf,
} from './onnx-graph';

const BYTE = 2;
const FLOAT = 1;
const INT64 = 7;

/** Every token's weights: those that a token is read with, and what its logit is computed with. */
const WEIGHTS = 'model.decoder.embed_tokens.weight_merged_0';
const QUANTIZED = `${WEIGHTS}_quantized`;
const COLUMNS = `${WEIGHTS}_columns`;
const SHAPE = 'sound_shape';

/** One passage, as many frames as it has, and the heads. */
const SOUND_SHAPE = [1, -1, 8, 36];

/**
 * Takes Moonshine's decoder apart. As it's published, it's one model that chooses between two branches: one for the start
 * of a text, one to go on. For each token it transposes all of its vocabulary's weights and turns them into floats, which
 * takes longer than everything else, and as floats they'd take 190 MB. The two models that this returns have no branches:
 * `projection` makes what a passage's texts attend to, once, and `decoder` only goes on, from no text at the start.
 * Its logits are computed like everything else in it, from quantized numbers.
 * @throws if it isn't the model that this was written for
 */
export function splitDecoder(merged: Uint8Array): { projection: Uint8Array; decoder: Uint8Array } {
  const model = decodeModel(merged);
  const branches = new Map(
    model.graph.node[0]?.attribute.map((bytes) => {
      const { name, g } = decodeGraphAttribute(bytes);
      return [name, g];
    }),
  );
  const [start, next] = [branches.get('else_branch'), branches.get('then_branch')];
  if (!start || !next) throw new Error('Moonshine’s decoder has no branches');
  const { initializer, input: inputs } = model.graph;
  const weights = initializer.map(decodeConstant).find(({ name }) => name === QUANTIZED);
  if (!weights) throw new Error('Moonshine’s decoder has no quantized weights');

  const projection = modelOf(model, 'projection', outputsOf(start, '.encoder.'), {
    nodes: start.node.map(inOnePassage),
    initializers: [...initializer, encodeConstant(int64s(SHAPE, SOUND_SHAPE))],
    inputs,
    outputs: start.output,
  });
  const decoder = modelOf(model, 'decoder', ['logits', ...outputsOf(next, '.decoder.')], {
    nodes: next.node.flatMap(withQuantizedLogits),
    initializers: [...initializer, encodeConstant(transposed(weights))],
    inputs,
    outputs: next.output,
  });
  return { projection: encodeModel(projection), decoder: encodeModel(decoder) };
}

const outputsOf = ({ output }: Graph, part: string): string[] =>
  output.map(nameOf).filter((name) => name.includes(part));

/** The shape of what a passage's texts attend to comes from the text, which isn't there yet. */
function inOnePassage(node: Node): Node {
  const [data = ''] = node.input;
  const isSound = node.opType === 'Reshape' && /encoder_attn\/[kv]_proj/.test(data);
  return isSound ? { ...node, input: [data, SHAPE] } : node;
}

function withQuantizedLogits(node: Node): Node[] {
  const [output = ''] = node.output;
  const [input = ''] = node.input;
  if (node.opType === 'Gather' && input === QUANTIZED) {
    return [
      makeNode('Gather', [COLUMNS, 'input_ids'], ['read_columns'], { axis: 1 }),
      makeNode('Transpose', ['read_columns'], [output], { perm: [1, 2, 0] }),
    ];
  }
  if (output !== 'logits') return [node];
  return [
    makeNode('DynamicQuantizeLinear', [input], ['state', 'state_scale', 'state_zero_point']),
    makeNode('MatMulInteger', ['state', COLUMNS, 'state_zero_point', `${WEIGHTS}_zero_point`], ['product']),
    makeNode('Cast', ['product'], ['product_float'], { to: FLOAT }),
    makeNode('Mul', ['state_scale', `${WEIGHTS}_scale`], ['product_scale']),
    makeNode('Mul', ['product_float', 'product_scale'], ['logits']),
  ];
}

function transposed({ dims, rawData }: Constant): Constant {
  const [rows = 0, columns = 0] = dims.map(Number);
  const turned = new Uint8Array(rawData.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      turned[column * rows + row] = rawData[row * columns + column] as number;
    }
  }
  return { name: COLUMNS, dims: [columns, rows], dataType: BYTE, rawData: turned };
}

const int64s = (name: string, values: readonly number[]): Constant => ({
  name,
  dims: [values.length],
  dataType: INT64,
  rawData: new Uint8Array(BigInt64Array.from(values, BigInt).buffer),
});
