"""Word clusters from unlabelled text: shifted positive PMI of words within a window, reduced by
SVD, then k-means."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from sklearn.cluster import MiniBatchKMeans
from sklearn.utils.extmath import randomized_svd
from threadpoolctl import threadpool_limits

from stemma.extract.learned.corpus import CLUSTERS

WINDOW, DIMENSIONS, LEAST = 4, 100, 3


def clusters(lines: Sequence[Sequence[str]], seed: int = 1) -> dict[str, tuple[int, int, int]]:
    """For each word seen `LEAST` times its cluster in a coarse, a middle and a fine division.
    Repeatable."""
    counts = Counter(w for line in lines for w in line)
    words = sorted(w for w, n in counts.items() if n >= LEAST)
    index = {w: i for i, w in enumerate(words)}
    # Windows do not cross the end of a sentence: a gap of -1 stands between two.
    stream: list[int] = []
    for line in lines:
        stream += [index.get(w, -1) for w in line]
        stream += [-1] * WINDOW
    ids = np.array(stream)
    size = len(words)
    together = csr_matrix((size, size))
    for distance in range(1, WINDOW + 1):
        left, right = ids[:-distance], ids[distance:]
        both = (left >= 0) & (right >= 0)
        weight = np.full(int(both.sum()), 1.0 / distance)
        # Left and right neighbours are told apart by nothing: the matrix is symmetric.
        together = together + coo_matrix((weight, (left[both], right[both])), (size, size)).tocsr()
    together = (together + together.T).tocoo()
    total = together.data.sum()
    marginal = np.bincount(together.row, together.data, size)
    context = marginal**0.75
    context *= total / context.sum()
    information = np.log(together.data * total / (marginal[together.row] * context[together.col]))
    kept = information > 0
    table = csr_matrix((information[kept], (together.row[kept], together.col[kept])), (size, size))
    left_vectors, values, _ = randomized_svd(table, DIMENSIONS, random_state=seed)
    vectors = left_vectors * np.sqrt(values)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    # Processes that are forked later could not use the threads that were started here.
    with threadpool_limits(1):
        divisions = [
            MiniBatchKMeans(n, random_state=seed, batch_size=4096, n_init=3)
            .fit(vectors)
            .labels_.tolist()
            for n in CLUSTERS
        ]
    return {w: (a, b, c) for w, a, b, c in zip(words, *divisions, strict=True)}
