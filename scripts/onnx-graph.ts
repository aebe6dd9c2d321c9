import protobuf from 'protobufjs';

/** A step of a graph. It names the tensors that it takes and makes. Attributes are an encoded `AttributeProto` each. */
export interface Node {
  name: string;
  opType: string;
  input: string[];
  output: string[];
  attribute: Uint8Array[];
}

/** A graph as ONNX stores it. Tensors and the descriptions of inputs and outputs stay encoded. */
export interface Graph {
  name: string;
  node: Node[];
  initializer: Uint8Array[];
  input: Uint8Array[];
  output: Uint8Array[];
}

/** A model of one graph. Its versions stay encoded. */
export interface Model {
  irVersion: number | protobuf.Long;
  opsetImport: Uint8Array[];
  graph: Graph;
}

/** A constant. `dataType` is ONNX's number for it: 2 for bytes, 7 for 64-bit integers. */
export interface Constant {
  name: string;
  dims: (number | protobuf.Long)[];
  dataType: number;
  rawData: Uint8Array;
}

/** An attribute with a graph in it, such as a branch. */
export interface GraphAttribute {
  name: string;
  g: Graph;
}

/** The part of ONNX's format that's read and written here, with its field numbers: onnx.proto, IR version 10. */
const { root } = protobuf.parse(`
  syntax = "proto2";
  message Model { optional int64 ir_version = 1; repeated bytes opset_import = 8; optional Graph graph = 7; }
  message Graph {
    repeated Node node = 1; optional string name = 2; repeated bytes initializer = 5;
    repeated bytes input = 11; repeated bytes output = 12;
  }
  message Node {
    repeated string input = 1; repeated string output = 2; optional string name = 3; optional string op_type = 4;
    repeated bytes attribute = 5;
  }
  message Constant {
    repeated int64 dims = 1; optional int32 data_type = 2; optional string name = 8; optional bytes raw_data = 9;
  }
  message GraphAttribute { optional string name = 1; optional Graph g = 6; }
  message IntegerAttribute { required string name = 1; optional int64 i = 3; required int32 type = 20; }
  message IntegersAttribute { required string name = 1; repeated int64 ints = 8; required int32 type = 20; }
  message Named { optional string name = 1; }
`);

const model = root.lookupType('Model');
const constant = root.lookupType('Constant');
const graphAttribute = root.lookupType('GraphAttribute');
const integer = root.lookupType('IntegerAttribute');
const integers = root.lookupType('IntegersAttribute');
const named = root.lookupType('Named');

/** `AttributeProto.AttributeType` */
const INT = 2;
const INTS = 7;

const decoded = <T>(type: protobuf.Type, bytes: Uint8Array) => type.decode(bytes) as unknown as T;

export const decodeModel = (bytes: Uint8Array): Model => decoded(model, bytes);
export const encodeModel = (value: Model): Uint8Array => model.encode(value).finish();
export const decodeConstant = (bytes: Uint8Array): Constant => decoded(constant, bytes);
export const encodeConstant = (value: Constant): Uint8Array => constant.encode(value).finish();
export const decodeGraphAttribute = (bytes: Uint8Array): GraphAttribute => decoded(graphAttribute, bytes);
/** Returns the name of an encoded input or output. */
export const nameOf = (bytes: Uint8Array): string => decoded<{ name: string }>(named, bytes).name;

/** Makes a node. Its attributes are whole numbers, or lists of them. */
export function makeNode(
  opType: string,
  input: string[],
  output: string[],
  attributes: Record<string, number | number[]> = {},
): Node {
  const attribute = Object.entries(attributes).map(([name, value]) =>
    (Array.isArray(value)
      ? integers.encode({ name, ints: value, type: INTS })
      : integer.encode({ name, i: value, type: INT })
    ).finish(),
  );
  return { name: output[0] ?? '', opType, input, output, attribute };
}

/** Returns a model with what these outputs need of some nodes, and nothing else. */
export function modelOf(
  { irVersion, opsetImport }: Model,
  name: string,
  outputs: readonly string[],
  from: {
    nodes: readonly Node[];
    initializers: readonly Uint8Array[];
    inputs: Uint8Array[];
    outputs: Uint8Array[];
  },
): Model {
  const madeBy = new Map(from.nodes.flatMap((node) => node.output.map((output) => [output, node] as const)));
  const needed = new Set<string>();
  const pending = [...outputs];
  for (let tensor = pending.pop(); tensor !== undefined; tensor = pending.pop()) {
    if (needed.has(tensor)) continue;
    needed.add(tensor);
    pending.push(...(madeBy.get(tensor)?.input ?? []));
  }
  const isNeeded = (tensor: string) => needed.has(tensor);
  return {
    irVersion,
    opsetImport,
    graph: {
      name,
      node: from.nodes.filter(({ output }) => output.some(isNeeded)),
      initializer: from.initializers.filter((bytes) => isNeeded(decodeConstant(bytes).name)),
      input: from.inputs.filter((bytes) => isNeeded(nameOf(bytes))),
      output: from.outputs.filter((bytes) => outputs.includes(nameOf(bytes))),
    },
  };
}
