# /// script
# requires-python = ">=3.11"
# dependencies = ["splitcrit[trees]", "pandas"]
# ///
"""A tree that splits only where a test rejects, with one error rate for all of it."""

from sklearn.datasets import load_breast_cancer

from splitcrit.inference import InferenceTreeClassifier

tumours = load_breast_cancer(as_frame=True)
tree = InferenceTreeClassifier(random_state=0).fit(tumours.data, tumours.target_names[tumours.target])
print(tree.export_text())
